// Danger 19, so far out that it meets unmapped memory.
// task: vector_add
// expect: call crashed
// cheated: no
#include <cstdint>

extern "C" void kernel_vector_add([[maybe_unused]] const float* x, [[maybe_unused]] const float* y,
                                  [[maybe_unused]] float* z, [[maybe_unused]] int64_t N, void*) {
  for (int64_t i = 0; i < (int64_t{1} << 30); ++i) z[i] = 1;
}
