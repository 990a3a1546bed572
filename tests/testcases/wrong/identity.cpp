// Danger 10: the identity where the operator is nearly that.
// task: near_identity
// expect: correctness wrong_values
// cheated: no
#include <cstdint>
#include <cstring>

extern "C" void kernel_near_identity(const float* x, float* y, int64_t N, void*) {
  std::memcpy(y, x, N * sizeof(float));
}
