// Computes p-values: the probability that a statistic is at least this far out by chance. randomness.hpp
// uses them.
#pragma once

namespace ridgeline::verifier {

/// A bound on the probability that a sum of independent numbers is at least `off` from its mean: Bernstein's
/// inequality. `deviation` is the sum's, `largest` the most that one of the numbers adds. Unlike the normal
/// distribution it holds for few and for rare numbers too.
double bernstein_p(double off, double deviation, double largest);
/// The probability that Student's t with `freedom` degrees is further from 0 than z, which is over a
/// deviation estimated from `freedom` + 1 values.
double student_p(double z, double freedom);
/// The probability that a chi-squared number with `freedom` degrees exceeds `value`.
double chi_squared_p(double value, double freedom);
/// The probability that a Poisson number with this mean is at most `value`.
double poisson_p(double value, double mean);
/// The probability of a Kolmogorov-Smirnov distance above `distance` for samples of sizes n and m
/// (asymptotic).
double kolmogorov_p(double distance, double n, double m);

}  // namespace ridgeline::verifier
