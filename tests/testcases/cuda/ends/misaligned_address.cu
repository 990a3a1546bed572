// Vectors of four at addresses for one.
// task: vector_add
// expect: call crashed | call launch_error
// cheated: no
#include <cstdint>

static __global__ void add(const float* x, float* z) { *(float4*)(z + 1) = *(const float4*)(x + 1); }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  add<<<1, 1, 0, (cudaStream_t)stream>>>(x, z);
}
