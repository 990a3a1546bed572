// Right on ordinary values, wrong on outliers.
// task: vector_add
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add([[maybe_unused]] const float* x, [[maybe_unused]] const float* y,
                                  [[maybe_unused]] float* z, [[maybe_unused]] int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] > 30 ? 0.0f : x[i] + y[i];
}
