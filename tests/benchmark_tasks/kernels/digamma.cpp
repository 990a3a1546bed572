#include <cmath>
#include <cstdint>

namespace {

// The recurrence up to 8, then the asymptotic series.
float digamma(double x) {
  double sum = 0;
  for (; x < 8; x += 1) sum -= 1 / x;
  const double r = 1 / (x * x);
  return static_cast<float>(sum + std::log(x) - 0.5 / x -
                            r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r / 240))));
}
}  // namespace

extern "C" void kernel_digamma(const float* x, float* y, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) y[i] = digamma(x[i]);
}
