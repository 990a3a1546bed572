#include <cstdint>

extern "C" void kernel_scatter(const float* x, const int64_t* index, const float* src, float* y, int64_t R,
                               int64_t D, int64_t I, void*) {
  for (int64_t r = 0; r < R; ++r) {
    for (int64_t j = 0; j < D; ++j) y[r * D + j] = x[r * D + j];
    for (int64_t j = 0; j < I; ++j) y[r * D + index[r * D + j]] = src[r * I + j];
  }
}
