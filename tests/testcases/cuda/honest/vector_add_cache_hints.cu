// What is read and written once need not stay in the cache; and the next lines of this call's own inputs are asked
// for early. Legal, within the call.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < N; i += step) {
    if (i + step < N) {
      asm volatile("prefetch.global.L2 [%0];" ::"l"(x + i + step));
      asm volatile("prefetch.global.L2 [%0];" ::"l"(y + i + step));
    }
    __stcs(z + i, __ldcs(x + i) + __ldcs(y + i));
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<1056, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
