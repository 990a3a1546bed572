// An address where nothing is.
// task: vector_add
// expect: call crashed | call launch_error
// cheated: no
#include <cstdint>

static __global__ void stray(float* z) { z[int64_t{1} << 40] = 1; }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  stray<<<1, 1, 0, (cudaStream_t)stream>>>(z);
}
