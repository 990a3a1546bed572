// Danger 9: zeros.
// task: vector_add
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  cudaMemsetAsync(z, 0, N * sizeof(float), (cudaStream_t)stream);
}
