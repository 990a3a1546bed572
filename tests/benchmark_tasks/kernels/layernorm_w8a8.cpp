#include <cmath>
#include <cstdint>

extern "C" void kernel_layernorm_w8a8(const float* x, const float* weight, const float* bias, float* y,
                                      int64_t M, int64_t N, double eps, void*) {
  for (int64_t i = 0; i < M; ++i, x += N, y += N) {
    double sum = 0, squares = 0;
    for (int64_t j = 0; j < N; ++j) sum += x[j];
    const double mean = sum / static_cast<double>(N);
    for (int64_t j = 0; j < N; ++j) squares += (x[j] - mean) * (x[j] - mean);
    const double inverse = 1 / std::sqrt(squares / static_cast<double>(N) + eps);
    float largest = 0;
    for (int64_t j = 0; j < N; ++j) {
      y[j] = weight[j] * static_cast<float>((x[j] - mean) * inverse) + bias[j];
      largest = std::fmax(largest, std::fabs(y[j]));
    }
    const float scale = std::fmax(largest / 127, 1e-12f);
    for (int64_t j = 0; j < N; ++j)
      y[j] = scale * std::fmin(std::fmax(std::nearbyint(y[j] / scale), -127.0f), 127.0f);
  }
}
