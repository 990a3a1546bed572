// Danger 22: each call does the work of the one before.
// task: vector_add
// expect: correctness wrong_values | call crashed
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  static struct {
    const float *x, *y;
    float* z;
    int64_t N = 0;
  } owed;
  if (owed.N) add<<<(owed.N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(owed.x, owed.y, owed.z, owed.N);
  owed = {x, y, z, N};
}
