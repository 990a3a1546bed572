#include <cmath>
#include <cstdint>

extern "C" void kernel_fused_masked_select_add_gelu(const float* x, const uint8_t* mask, float* y,
                                                    int64_t* count, int64_t N, double alpha, double other,
                                                    void*) {
  const auto shift = static_cast<float>(alpha * other);
  int64_t selected = 0;
  for (int64_t i = 0; i < N; ++i) {
    if (!mask[i]) continue;
    const float z = x[i] + shift;
    y[selected++] = 0.5f * z * std::erfc(-0.70710678f * z);
  }
  *count = selected;
}
