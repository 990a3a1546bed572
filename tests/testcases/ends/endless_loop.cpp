// Danger 33: a hang.
// task: vector_add
// expect: call timed_out
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add([[maybe_unused]] const float* x, [[maybe_unused]] const float* y,
                                  [[maybe_unused]] float* z, [[maybe_unused]] int64_t N, void*) {
  for (volatile int64_t i = 0;; i = i + 1) {
  }
}
