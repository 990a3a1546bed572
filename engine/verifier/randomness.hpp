// Whether numbers could have come from the reference's random process: plain numbers, no tensors.
//
// Against `count` draws of the reference for the same inputs: mean and spread of all elements; the sum
// weighted by each element's own mean (does the output follow the input, as dropout must?); the distribution
// of all elements (two-sample Kolmogorov-Smirnov); each element's rank among its own draws (a chi-squared
// test of the rank histogram: Talagrand, Vautard, Strauss, ECMWF workshop on predictability, 1997), ties
// within 2^-10 broken at random; and the correlation of neighbours (a ramp has the right distribution and no
// randomness).
#pragma once

#include <span>
#include <string>

namespace ridgeline::verifier {

struct RandomFinding {
  bool ok = true;
  std::string detail;  ///< which test failed, with its statistic
};

/// `draws`: `count` rows of got.size() values. Each test may reject with probability `p_value` by chance.
RandomFinding check_random(std::span<const double> got, std::span<const double> draws, int count,
                           double p_value);

/// Probability that a standard normal number exceeds |z|.
double normal_p(double z);
/// Probability that a chi-squared number with `freedom` degrees exceeds `value` (Wilson-Hilferty).
double chi_squared_p(double value, double freedom);
/// Probability of a Kolmogorov-Smirnov distance above `distance` for samples of sizes n and m (asymptotic).
double kolmogorov_p(double distance, double n, double m);

}  // namespace ridgeline::verifier
