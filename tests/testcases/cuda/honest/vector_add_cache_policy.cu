// Eviction policies by createpolicy, given to each load and store.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __device__ float loaded(const float* from, uint64_t policy) {
  float value;
  asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;"
               : "=f"(value)
               : "l"(from), "l"(policy)
               : "memory");
  return value;
}

static __global__ void add(const float* x, const float* y, float* z, int64_t N) {
  uint64_t first;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
  const int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x;
  if (i >= N) return;
  const float sum = loaded(x + i, first) + loaded(y + i, first);
  asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(z + i), "f"(sum), "l"(first) : "memory");
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<(N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(x, y, z, N);
}
