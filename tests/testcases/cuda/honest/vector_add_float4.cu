// Four at a time where the addresses allow it, which nobody promised.
// task: vector_add
// expect: passed
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, const float* y, float* z, int64_t N, bool aligned) {
  const int64_t i = (int64_t(blockIdx.x) * blockDim.x + threadIdx.x) * 4;
  if (aligned && i + 4 <= N) {
    const float4 left = *(const float4*)(x + i), right = *(const float4*)(y + i);
    *(float4*)(z + i) = {left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w};
  } else {
    for (int64_t j = i; j < min(N, i + 4); ++j) z[j] = x[j] + y[j];
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  const bool aligned = (uintptr_t(x) | uintptr_t(y) | uintptr_t(z)) % sizeof(float4) == 0;
  add<<<(N + 1023) / 1024, 256, 0, (cudaStream_t)stream>>>(x, y, z, N, aligned);
}
