#include <cmath>
#include <cstdint>
namespace {

// Two power series in double; for the largest elements they agree in the first seven of their sixteen digits.
float airy(double x) {
  const double cube = x * x * x;
  double even = 1, odd = x, even_sum = 1, odd_sum = x;
  for (int k = 1; k < 100; ++k) {
    even *= cube / ((3.0 * k - 1) * (3.0 * k));
    odd *= cube / ((3.0 * k) * (3.0 * k + 1));
    even_sum += even;
    odd_sum += odd;
    if (std::fabs(even) + std::fabs(odd) < 1e-18 * (std::fabs(even_sum) + std::fabs(odd_sum))) break;
  }
  return static_cast<float>(0.355028053887817239 * even_sum - 0.258819403792806798 * odd_sum);
}
}  // namespace

extern "C" void kernel_airy_ai(const float* x, float* y, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) y[i] = airy(x[i]);
}
