// The host's stack as a kernel's argument: an error, or memory that the device can reach.
// task: vector_add
// expect: call crashed | correctness wrong_values | call launch_error
// cheated: no
#include <cstdint>

static __global__ void first(const float* x, const float* y, float* sum) { *sum = x[0] + y[0]; }

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  float sum = 0;
  first<<<1, 1, 0, (cudaStream_t)stream>>>(x, y, &sum);
  cudaStreamSynchronize((cudaStream_t)stream);
}
