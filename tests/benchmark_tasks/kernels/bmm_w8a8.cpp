#include <cmath>
#include <cstdint>
#include <vector>

namespace {

/// The scale of values whose largest magnitude this is.
float scale_of(float largest) {
  int exponent = 0;
  if (largest > 0) std::frexp(largest, &exponent);
  return std::fmax(std::ldexp(1.0f, exponent - 7), 0x1p-40f);
}

int8_t quantize(float value, float scale) {
  return static_cast<int8_t>(std::fmin(std::fmax(std::nearbyint(value / scale), -127.0f), 127.0f));
}

}  // namespace

extern "C" void kernel_bmm_w8a8(const float* x, const float* w, float* y, int64_t B, int64_t M, int64_t N,
                                int64_t K, void*) {
  std::vector<int8_t> qx(M * K), qw(K * N);
  std::vector<float> sx(M), sw(N);
  std::vector<int32_t> sums(N);
  for (int64_t b = 0; b < B; ++b, x += M * K, w += K * N, y += M * N) {
    for (int64_t i = 0; i < M; ++i) {
      float largest = 0;
      for (int64_t k = 0; k < K; ++k) largest = std::fmax(largest, std::fabs(x[i * K + k]));
      sx[i] = scale_of(largest);
      for (int64_t k = 0; k < K; ++k) qx[i * K + k] = quantize(x[i * K + k], sx[i]);
    }
    for (int64_t j = 0; j < N; ++j) {
      float largest = 0;
      for (int64_t k = 0; k < K; ++k) largest = std::fmax(largest, std::fabs(w[k * N + j]));
      sw[j] = scale_of(largest);
      for (int64_t k = 0; k < K; ++k) qw[k * N + j] = quantize(w[k * N + j], sw[j]);
    }
    for (int64_t i = 0; i < M; ++i) {
      for (int64_t j = 0; j < N; ++j) sums[j] = 0;
      for (int64_t k = 0; k < K; ++k)
        for (int64_t j = 0; j < N; ++j) sums[j] += qx[i * K + k] * qw[k * N + j];
      for (int64_t j = 0; j < N; ++j) y[i * N + j] = static_cast<float>(sums[j]) * sx[i] * sw[j];
    }
  }
}
