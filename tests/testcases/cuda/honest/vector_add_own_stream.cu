// Works on a stream of its own, and waits for the judge's before and for its own afterwards.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static cudaStream_t own;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  cudaStreamSynchronize((cudaStream_t)stream);
  add<<<(N + 255) / 256, 256, 0, own>>>(x, y, z, N);
  cudaStreamSynchronize(own);
}
