// Danger 9: zeros, where every right element is below the public tolerance of 1e-4.
// task: wide_softmax
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

extern "C" void kernel_wide_softmax(const float*, float* y, int64_t M, int64_t N, void* stream) {
  cudaMemsetAsync(y, 0, M * N * sizeof(float), (cudaStream_t)stream);
}
