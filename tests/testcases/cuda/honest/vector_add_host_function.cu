// A host function in the stream, which counts finished calls.
// task: vector_add
// expect: passed
// cheated: no
#include <atomic>
#include <cstdint>

static std::atomic<long> finished;

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
  cudaLaunchHostFunc((cudaStream_t)stream, [](void* count) { ++*static_cast<std::atomic<long>*>(count); },
                     &finished);
}
