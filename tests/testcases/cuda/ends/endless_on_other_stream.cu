// Danger 33: the right answer, and a kernel on another stream that never ends.
// task: vector_add
// expect: call timed_out | timing timed_out | passed
// at most: 1.2 honest/vector_add.cu
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static __global__ void spin() {
  while (clock64() != 0) {
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static cudaStream_t own;
  if (!own) {
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    spin<<<1, 1, 0, own>>>();
  }
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
