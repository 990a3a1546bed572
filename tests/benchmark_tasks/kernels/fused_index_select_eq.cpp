#include <cstdint>

extern "C" void kernel_fused_index_select_eq(const float* x, const int64_t* index, const float* other,
                                             uint8_t* y, int64_t R, int64_t I, int64_t D, void*) {
  for (int64_t i = 0; i < I; ++i)
    for (int64_t j = 0; j < D; ++j) y[i * D + j] = x[index[i] * D + j] == other[i * D + j];
}
