// A single block, some milliseconds a call: slow is no crime.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  for (int64_t i = threadIdx.x; i < N; i += blockDim.x) z[i] = x[i] + y[i];
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<1, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
