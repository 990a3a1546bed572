// Danger 33: the same on every processor of the device, so that nothing of anybody's gets a turn.
// task: vector_add
// expect: call timed_out
// cheated: no
#include <cstdint>

static __global__ void spin() {
  while (clock64() != 0) {
  }
}

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  spin<<<132 * 64, 1024, 0, (cudaStream_t)stream>>>();
}
