#include <cstdint>

namespace {

// The power series: the terms (x^2/4)^k / k!^2 are all positive, so nothing cancels.
float bessel(float x) {
  const double quarter = 0.25 * x * x;
  double term = 1, sum = 1;
  for (int k = 1; term > 1e-12 * sum; ++k) {
    term *= quarter / (static_cast<double>(k) * k);
    sum += term;
  }
  return static_cast<float>(sum);
}
}  // namespace

extern "C" void kernel_i0(const float* x, float* y, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) y[i] = bessel(x[i]);
}
