// Danger 19 and 7: behaves until it is timed. Whether guards are looked at in every window or at the end, it is seen.
// task: vector_add
// expect: timing out_of_bounds_write | timing wrong_when_timed | correctness out_of_bounds_write
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static __global__ void spill(float* z, int64_t N) { z[N] = 1; }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static unsigned calls = 0;
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
  if (N > 1 << 20 && ++calls > 64) spill<<<1, 1, 0, (cudaStream_t)stream>>>(z, N);
}
