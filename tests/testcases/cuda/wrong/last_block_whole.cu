// Danger 19: no check of the bound at all, up to 255 elements too many.
// task: vector_add
// expect: correctness out_of_bounds_write
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z);
}
