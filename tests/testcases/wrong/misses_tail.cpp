// A boundary missed where the size is no multiple of eight.
// task: vector_add
// expect: correctness wrong_values
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add([[maybe_unused]] const float* x, [[maybe_unused]] const float* y,
                                  [[maybe_unused]] float* z, [[maybe_unused]] int64_t N, void*) {
  for (int64_t i = 0; i + 8 <= N; i += 8)
    for (int64_t j = i; j < i + 8; ++j) z[j] = x[j] + y[j];
}
