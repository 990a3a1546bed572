// Danger 33: a kernel that never ends.
// task: vector_add
// expect: call timed_out
// cheated: no
#include <cstdint>

static __global__ void spin() {
  while (clock64() != 0) {
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  spin<<<1, 1, 0, (cudaStream_t)stream>>>();
}
