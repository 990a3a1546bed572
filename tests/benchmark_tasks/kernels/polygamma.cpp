#include <cmath>
#include <cstdint>

namespace {

// Sum of 1 / (q + k)^s over all k >= 0: eight terms, and the rest by Euler and Maclaurin.
double zeta(double s, double q) {
  double sum = 0;
  for (int k = 0; k < 8; ++k, q += 1) sum += std::pow(q, -s);
  const double power = std::pow(q, -s);
  double term = s * power / q;  // the derivatives of q^-s, without their signs
  sum += power * q / (s - 1) + 0.5 * power + term / 12;
  term *= (s + 1) * (s + 2) / (q * q);
  sum -= term / 720;
  term *= (s + 3) * (s + 4) / (q * q);
  return sum + term / 30240;
}

}  // namespace

extern "C" void kernel_polygamma(const float* x, float* y, int64_t N, int64_t, int64_t order, void*) {
  const auto n = static_cast<double>(order);
  const double factor = (order % 2 == 0 ? -1 : 1) * std::tgamma(n + 1);
  for (int64_t i = 0; i < N; ++i) y[i] = static_cast<float>(factor * zeta(n + 1, x[i]));
}
