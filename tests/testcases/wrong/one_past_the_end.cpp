// Danger 19: one element too many, which happens to work.
// task: vector_add
// expect: correctness out_of_bounds_write
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add([[maybe_unused]] const float* x, [[maybe_unused]] const float* y,
                                  [[maybe_unused]] float* z, [[maybe_unused]] int64_t N, void*) {
  for (int64_t i = 0; i < N + 1; ++i) z[i] = x[i] + y[i];
}
