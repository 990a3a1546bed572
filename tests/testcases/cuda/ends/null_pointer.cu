// A null pointer on the device.
// task: vector_add
// expect: call crashed | call launch_error
// cheated: no
#include <cstdint>

static __global__ void store(float* at) { *at = 1; }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  store<<<1, 1, 0, (cudaStream_t)stream>>>(nullptr);
}
