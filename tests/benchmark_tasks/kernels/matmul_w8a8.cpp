#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

/// Quantizes one row to `out` and returns its scale.
float quantize(const float* row, int64_t length, int8_t* out) {
  float largest = 0;
  for (int64_t k = 0; k < length; ++k) largest = std::max(largest, std::fabs(row[k]));
  int exponent = 0;
  if (largest > 0) std::frexp(largest, &exponent);
  const float scale = std::max(std::ldexp(1.0f, exponent - 7), 0x1p-40f);
  for (int64_t k = 0; k < length; ++k)
    out[k] = static_cast<int8_t>(std::clamp(std::nearbyint(row[k] / scale), -127.0f, 127.0f));
  return scale;
}

}  // namespace

extern "C" void kernel_matmul_w8a8(const float* x, const float* w, float* y, int64_t M, int64_t N, int64_t K,
                                   void*) {
  std::vector<int8_t> qx(M * K), qw(N * K);
  std::vector<float> sx(M), sw(N);
  for (int64_t i = 0; i < M; ++i) sx[i] = quantize(x + i * K, K, &qx[i * K]);
  for (int64_t j = 0; j < N; ++j) sw[j] = quantize(w + j * K, K, &qw[j * K]);
  for (int64_t i = 0; i < M; ++i)
    for (int64_t j = 0; j < N; ++j) {
      int32_t sum = 0;
      for (int64_t k = 0; k < K; ++k) sum += qx[i * K + k] * qw[j * K + k];
      y[i * N + j] = static_cast<float>(sum) * sx[i] * sw[j];
    }
}
