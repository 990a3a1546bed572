#include <cmath>
#include <cstdint>
#include <vector>

namespace {

/// Writes the values as they are after quantization, by one scale, and back.
void quantize(const float* values, float* out, int64_t N) {
  float largest = 0;
  for (int64_t j = 0; j < N; ++j) largest = std::fmax(largest, std::fabs(values[j]));
  int exponent = 0;
  if (largest > 0) std::frexp(largest, &exponent);
  const float scale = std::fmax(std::ldexp(1.0f, exponent - 7), 0x1p-40f);
  for (int64_t j = 0; j < N; ++j)
    out[j] = scale * std::fmin(std::fmax(std::nearbyint(values[j] / scale), -127.0f), 127.0f);
}

}  // namespace

extern "C" void kernel_layernorm_w8a8(const float* x, const float* weight, const float* bias, float* y,
                                      int64_t M, int64_t N, double eps, void*) {
  std::vector<float> w(N);
  quantize(weight, w.data(), N);
  for (int64_t i = 0; i < M; ++i, x += N, y += N) {
    quantize(x, y, N);
    double sum = 0, squares = 0;
    for (int64_t j = 0; j < N; ++j) sum += y[j];
    const double mean = sum / static_cast<double>(N);
    for (int64_t j = 0; j < N; ++j) squares += (y[j] - mean) * (y[j] - mean);
    const double inverse = 1 / std::sqrt(squares / static_cast<double>(N) + eps);
    for (int64_t j = 0; j < N; ++j) y[j] = w[j] * static_cast<float>((y[j] - mean) * inverse) + bias[j];
  }
}
