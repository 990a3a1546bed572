// Whether numbers could have come from the reference's random process: plain numbers, no tensors.
//
// Against `count` draws of the reference for the same inputs: mean and spread of all elements; the sum
// weighted by each element's own mean (does the output follow the input, as dropout must?); the distribution
// of all elements (two-sample Kolmogorov-Smirnov); each element's rank among its own draws (a chi-squared
// test of the rank histogram: Talagrand, Vautard, Strauss, ECMWF workshop on predictability, 1997), ties
// within 2^-10 broken at random; and the correlation of neighbours (a ramp has the right distribution and no
// randomness).
//
// Where a statistic's own deviation is known only from the draws, few as they are, both must find it
// unlikely: Student's t over that deviation, and the normal distribution over the deviation of independent
// elements.
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

}  // namespace ridgeline::verifier
