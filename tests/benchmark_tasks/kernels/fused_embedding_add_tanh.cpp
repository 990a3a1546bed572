#include <cmath>
#include <cstdint>

extern "C" void kernel_fused_embedding_add_tanh(const int64_t* index, const float* table, const float* other,
                                                float* y, int64_t R, int64_t I, int64_t D, void*) {
  for (int64_t i = 0; i < I; ++i)
    for (int64_t j = 0; j < D; ++j) y[i * D + j] = std::tanh(table[index[i] * D + j] + other[j]);
}
