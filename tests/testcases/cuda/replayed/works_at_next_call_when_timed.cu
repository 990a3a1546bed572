// Danger 22: the same, once it believes to be timed: the window closes one call short.
// task: vector_add
// expect: timing wrong_when_timed
// cheated: yes
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
  static unsigned calls = 0;
  if (owed.N) add<<<(owed.N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(owed.x, owed.y, owed.z, owed.N);
  owed.N = 0;
  if (N > 1 << 20 && ++calls > 64)
    owed = {x, y, z, N};
  else
    add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
