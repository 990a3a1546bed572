// Danger 11: an operand left out.
// task: vector_add
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  cudaMemcpyAsync(z, x, N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
}
