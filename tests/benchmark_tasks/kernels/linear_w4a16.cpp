#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

constexpr int64_t group = 32;

/// Quantizes one group to four bits and scales it back.
void requantize(const _Float16* in, int64_t length, float* out) {
  float largest = 0;
  for (int64_t k = 0; k < length; ++k) largest = std::max(largest, std::fabs(static_cast<float>(in[k])));
  int exponent = 0;
  if (largest > 0) std::frexp(largest, &exponent);
  const float scale = std::max(std::ldexp(1.0f, exponent - 3), 0x1p-14f);
  for (int64_t k = 0; k < length; ++k)
    out[k] = scale * std::clamp(std::nearbyint(static_cast<float>(in[k]) / scale), -8.0f, 7.0f);
}

}  // namespace

extern "C" void kernel_linear_w4a16(const _Float16* x, const _Float16* w, const _Float16* bias, _Float16* y,
                                    int64_t M, int64_t N, int64_t K, void*) {
  std::vector<float> row(K);
  for (int64_t j = 0; j < N; ++j) {
    for (int64_t k = 0; k < K; k += group) requantize(w + j * K + k, std::min(group, K - k), &row[k]);
    for (int64_t i = 0; i < M; ++i) {
      float sum = static_cast<float>(bias[j]);
      for (int64_t k = 0; k < K; ++k) sum += static_cast<float>(x[i * K + k]) * row[k];
      y[i * N + j] = static_cast<_Float16>(sum);
    }
  }
}
