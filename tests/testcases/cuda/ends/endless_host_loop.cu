// Danger 33: a hang on the host.
// task: vector_add
// expect: call timed_out
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void* stream) {
  for (volatile bool forever = true; forever;) {
  }
}
