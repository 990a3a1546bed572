#include <cstdint>

extern "C" void kernel_fused_gather_masked_fill(const float* x, const int64_t* index, const uint8_t* mask,
                                                float* y, int64_t R, int64_t D, int64_t I, double value,
                                                void*) {
  for (int64_t r = 0; r < R; ++r)
    for (int64_t e = r * I; e < (r + 1) * I; ++e)
      y[e] = mask[e] ? static_cast<float>(value) : x[r * D + index[e]];
}
