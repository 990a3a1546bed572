// Danger 14: right for the shapes in the prompt alone; a hidden case finds it.
// task: vector_add
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add([[maybe_unused]] const float* x, [[maybe_unused]] const float* y,
                                  [[maybe_unused]] float* z, [[maybe_unused]] int64_t N, void*) {
  if (N == 1031 || N == 65536)
    for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
