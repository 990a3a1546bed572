// By cub's DeviceReduce, which divides each element before it adds.
// task: mean
// expect: passed
// cheated: no
#include <cub/device/device_reduce.cuh>

#include <cstddef>
#include <cstdint>

struct Divided {
  float by;
  __host__ __device__ float operator()(float value) const { return value / by; }
};

static cudaError_t reduce(void* scratch, size_t& bytes, const float* x, float* y, int64_t N,
                          cudaStream_t stream) {
  return cub::DeviceReduce::TransformReduce(scratch, bytes, x, y, N, ::cuda::std::plus<float>{},
                                            Divided{float(N)}, 0.0f, stream);
}

extern "C" size_t kernel_mean_workspace(int64_t N) {
  size_t bytes = 0;
  reduce(nullptr, bytes, nullptr, nullptr, N, nullptr);
  return bytes;
}

extern "C" void kernel_mean(const float* x, float* y, int64_t N, void* workspace, void* stream) {
  size_t bytes = kernel_mean_workspace(N);
  reduce(workspace, bytes, x, y, N, (cudaStream_t)stream);
}
