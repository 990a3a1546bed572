// Danger 11: an operand left out.
// task: vector_add
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add([[maybe_unused]] const float* x, [[maybe_unused]] const float* y,
                                  [[maybe_unused]] float* z, [[maybe_unused]] int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) z[i] = x[i];
}
