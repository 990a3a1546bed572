// Tests whether numbers could have come from the reference's random process. Plain numbers, no tensors.
//
// The output is compared with several draws of the reference for the same inputs, by five tests: mean and
// spread of all elements; the sum weighted by each element's own mean (does the output follow the input, as
// dropout must?); the distribution of all elements (two-sample Kolmogorov-Smirnov); each element's rank
// among its own draws (a chi-squared test of the rank histogram: Talagrand, Vautard, Strauss, ECMWF workshop
// on predictability, 1997), with ties within 2^-10 broken at random; and the correlation of neighbours (a
// ramp has the right distribution and no randomness).
//
// The few draws estimate a statistic's own deviation poorly. So a statistic is rejected only if it is
// unlikely both under Student's t over that deviation and by Bernstein's inequality over the deviation of
// independent elements. streams.hpp tests whether elements depend on each other at all, and says how the
// chances of all tests add up.
#pragma once

#include <span>
#include <string>

#include "engine/verifier/draw_rows.hpp"

namespace ridgeline::verifier {

/// States whether an output passed all tests of randomness.
struct RandomFinding {
  bool ok = true;
  std::string detail;  ///< the test that failed, with its statistic; "" if ok
};

/// Applies all tests to `got`, an output of draws.elements() values, on several threads. Each test may reject
/// an honest output with probability `p_value` by chance.
RandomFinding check_random(std::span<const double> got, const DrawRows& draws, double p_value);

}  // namespace ridgeline::verifier
