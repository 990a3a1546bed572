// Asserts on the device what holds.
// task: vector_add
// expect: passed
// cheated: no
#include <cassert>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  assert(blockDim.x == 256 && N > 0);
  const int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x;
  assert(i >= 0 && i < N + 256);
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
