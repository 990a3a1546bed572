// An assertion that fails on the device.
// task: vector_add
// expect: call crashed | call launch_error
// cheated: no
#undef NDEBUG
#include <cassert>
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  assert(i < N);
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256 + 1, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
