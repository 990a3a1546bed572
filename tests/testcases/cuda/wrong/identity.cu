// Danger 10: the identity where the operator is nearly that.
// task: near_identity
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

extern "C" void kernel_near_identity(const float* x, float* y, int64_t N, void* stream) {
  cudaMemcpyAsync(y, x, N * sizeof(float), cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
}
