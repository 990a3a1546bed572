#include <cstdint>

extern "C" void kernel_permute_copy(const float* x, float* y, int64_t A, int64_t B, int64_t C, void*) {
  for (int64_t i = 0; i < A * B; ++i)
    for (int64_t k = 0; k < C; ++k) y[k * A * B + i] = x[i * C + k];
}
