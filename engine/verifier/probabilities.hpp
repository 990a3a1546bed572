// Computes p-values: the probability that a statistic is at least this far out by chance. randomness.hpp
// uses them.
#pragma once

namespace ridgeline::verifier {

/// The probability that a standard normal number is further from 0 than z.
double normal_p(double z);
/// The same for Student's t with `freedom` degrees: z is over a deviation estimated from `freedom` + 1
/// values.
double student_p(double z, double freedom);
/// The probability that a chi-squared number with `freedom` degrees exceeds `value`.
double chi_squared_p(double value, double freedom);
/// The probability of a Kolmogorov-Smirnov distance above `distance` for samples of sizes n and m
/// (asymptotic).
double kolmogorov_p(double distance, double n, double m);

}  // namespace ridgeline::verifier
