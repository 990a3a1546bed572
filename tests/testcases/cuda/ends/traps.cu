// A trap on the device.
// task: vector_add
// expect: call crashed | call launch_error
// cheated: no
#include <cstdint>

static __global__ void trap() { __trap(); }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  trap<<<1, 1, 0, (cudaStream_t)stream>>>();
}
