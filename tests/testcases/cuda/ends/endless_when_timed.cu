// Danger 33: right until it is timed.
// task: vector_add
// expect: timing timed_out
// cheated: no
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
  static unsigned calls = 0;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
  if (N > 1 << 20 && ++calls > 64) spin<<<1, 1, 0, (cudaStream_t)stream>>>();
}
