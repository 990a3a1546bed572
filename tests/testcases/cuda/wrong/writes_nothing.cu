// Danger 8: a buffer that might still hold a result.
// task: vector_add
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  // nothing
}
