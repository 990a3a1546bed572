// Launches without naming the judge's stream, as most examples do, and waits for it. Whoever has ordered the inputs
// before the call, on whichever stream, can judge this.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
  cudaDeviceSynchronize();
}
