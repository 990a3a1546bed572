// An integer division by zero on the host.
// task: vector_add
// expect: call crashed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  volatile int64_t zero = 0;
  add<<<N / zero, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
