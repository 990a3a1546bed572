#include "engine/verifier/probabilities.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace ridgeline::verifier {

double bernstein_p(double off, double deviation, double largest) {
  const double spread = deviation * deviation + largest * std::fabs(off) / 3;
  return spread > 0 ? std::min(1.0, 2 * std::exp(-off * off / (2 * spread))) : off == 0 ? 1 : 0;
}

double student_p(double z, double freedom) {
  if (!std::isfinite(z)) return 0;
  return 2 * boost::math::cdf(
                 boost::math::complement(boost::math::students_t_distribution<>(freedom), std::fabs(z)));
}

double chi_squared_p(double value, double freedom) {
  return boost::math::cdf(
      boost::math::complement(boost::math::chi_squared_distribution<>(freedom), std::max(0.0, value)));
}

double poisson_p(double value, double mean) {
  return boost::math::gamma_q(std::floor(value) + 1, mean);
}

double kolmogorov_p(double distance, double n, double m) {
  // Stephens' correction makes the asymptotic series right for small samples ("Numerical Recipes", 14.3).
  const double size = std::sqrt(n * m / (n + m));
  const double lambda = (size + 0.12 + 0.11 / size) * distance;
  if (lambda < 0.2) return 1;  // the series below converges too slowly, and its value is 1 to ten digits
  double sum = 0;
  for (int k = 1; k <= 100; ++k) sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * lambda * lambda);
  return std::clamp(sum, 0.0, 1.0);
}

}  // namespace ridgeline::verifier
