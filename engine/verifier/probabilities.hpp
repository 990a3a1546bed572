// How likely a statistic at least this far out is by chance: the p-values of the tests in randomness.hpp.
#pragma once

namespace ridgeline::verifier {

/// Probability that a standard normal number is further from 0 than z.
double normal_p(double z);
/// The same of Student's t with `freedom` degrees: for z over a deviation estimated from `freedom` + 1
/// values.
double student_p(double z, double freedom);
/// Probability that a chi-squared number with `freedom` degrees exceeds `value`.
double chi_squared_p(double value, double freedom);
/// Probability of a Kolmogorov-Smirnov distance above `distance` for samples of sizes n and m (asymptotic).
double kolmogorov_p(double distance, double n, double m);

}  // namespace ridgeline::verifier
