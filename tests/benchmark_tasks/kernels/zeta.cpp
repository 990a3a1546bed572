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

extern "C" void kernel_zeta(const float* s, const float* q, float* y, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) y[i] = static_cast<float>(zeta(s[i], q[i]));
}
