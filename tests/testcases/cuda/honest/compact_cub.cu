// By cub's DeviceSelect, whose scratch is the workspace.
// task: compact
// expect: passed
// cheated: no
#include <cub/device/device_select.cuh>

#include <cstddef>
#include <cstdint>

struct Positive {
  __host__ __device__ bool operator()(float value) const { return value > 0; }
};

extern "C" size_t kernel_compact_workspace(int64_t N) {
  size_t bytes = 0;
  cub::DeviceSelect::If(nullptr, bytes, (const float*)nullptr, (float*)nullptr, (int64_t*)nullptr, N,
                        Positive{});
  return bytes;
}

extern "C" void kernel_compact(const float* x, float* y, int64_t* count, int64_t N, void* workspace,
                               void* stream) {
  size_t bytes = kernel_compact_workspace(N);
  cub::DeviceSelect::If(workspace, bytes, x, y, count, N, Positive{}, (cudaStream_t)stream);
}
