// Derives how far an element may be from the oracle. Plain numbers, no tensors.
//
//   tolerance = slack (a max(E, u s) + g v s) + v m + floor,   s = max(|y|, k)
//
// y: the oracle's value.
// k: its condition, the response of the float64 reference to random relative perturbations of all floating
// inputs, divided by their size. That is the root of the sum of (x_j df/dx_j)^2: the magnitude of what was
// added up, which |y| no longer shows after cancellation (stochastic arithmetic: Parker, Pierce, Eggert,
// "Monte Carlo arithmetic", 2000). All draws may come out small by chance, so k is the largest of four, and
// is raised, by at most 32 times, towards the median of its row and column.
// u: the unit roundoff of the output's dtype. v: that of the accumulator, float32's at least (kernels in 16
// bits accumulate in float32).
// E: the error of the reference in the task's own dtype, the largest among elements of this and lower
// binades of |y|. It shows roundings of intermediates that no input's perturbation reaches, as in exp(x) -
// 1.
// a: 8 for float32 and float64, room for exp, tanh or division a few ulps off; 2 for 16 bits, where such
// functions are computed in float32 and one rounding or two remain.
// g: 4 sqrt(n), where n is the length of a plausible chain of additions (chain_of, contract.hpp). Rounding
// errors of a chain of n additions behave as independent (Higham & Mary, "A new approach to probabilistic
// rounding error analysis", SISC 41, 2019); a serial sum has a standard deviation of about 0.3 sqrt(n) u, and
// the worst of a million elements lies five of those out. Tensor cores truncate where they add, and float32
// products made of three TF32 products now and then lie beyond: that is less than float32's precision. In the
// edge set terms are equal and errors are not independent: there g is the worst case n (Higham, "Accuracy and
// Stability of Numerical Algorithms", 2nd ed., 4.2). m: the task's `intermediate`. E is 0 where torch
// computes an operator better than its usual formula does; 1 + erf(x) of a kernel that follows the formula is
// then off by a rounding of 1, however small the result. floor: the smallest normal number (float16: the
// smallest subnormal), since flushing to zero is honest. That holds for every term and partial sum too: an
// atomic addition to a GPU's memory flushes whatever the flags say, so 2 n of the accumulator's smallest
// normal numbers are added.
//
// A zero that no perturbation moves gets its condition from its row and its column: the larger one of the
// medians of the conditions above 0 there, and at most 32 times the smaller one if both exist. max(x, 0) is
// such a zero where x is a little below 0. A rounding of x in float32, some 2^6 times larger than a
// perturbation, can lift an honest kernel's x above 0. Of outputs with a million elements about one in thirty
// has such an element.
//
// No other condition is below 2^-30 of the smaller one of these two medians, where both exist. Float64 shows
// no response that small if intermediates are as large as the neighbours: (x + 1) - 1 is 0 for x = 1e-37, and
// a kernel that computes x is right. In a float32 output without sums that allows 2^-50 of the neighbours.
//
// Where the operator itself is undecided the tolerance is infinite: the oracle is finite and the reference
// in the task's dtype is not (though the value is in range), or an infinity or NaN turns finite under
// perturbation (0/0 from an exact tie). Where the result jumps under perturbation and the task's dtype lands
// on the other side, the jump is allowed; where it lands on the same side, it is not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/dtype.hpp"
#include "engine/core/mismatch.hpp"

namespace ridgeline::verifier {

/// The constants of the formula for one output.
struct Precision {
  double output_roundoff = 0;       ///< u
  double accumulator_roundoff = 0;  ///< v
  double local = 8;                 ///< a
  double growth = 4;                ///< g
  double slack = 1;                 ///< the task's factor
  double floor = 0;                 ///< v m included
  double limit = 0;                 ///< largest finite number of the dtype
  bool reduces = false;             ///< n > 1: conditions are random sums, which medians may raise
};

/// Computes the constants. `reduction` is n, `intermediate` is m. `lower` allows the next lower precision
/// throughout.
Precision precision_of(DType dtype, double reduction, InputSet set, double slack, bool lower,
                       double intermediate = 0);

/// The unit roundoff of the next lower precision: float64 -> float32, float32 -> float16 and TF32, float16
/// -> bfloat16, bfloat16 -> an 8-bit format (e4m3).
double next_lower_roundoff(DType dtype);
/// The significant binary digits of a number with that roundoff.
int next_lower_digits(DType dtype);

/// Relative sizes of the perturbations: first_step for all draws but the second, which has second_step.
inline constexpr double first_step = 0x1p-30;
inline constexpr double second_step = 0x1p-36;
/// The condition over |y| beyond which float32 has no correct digits left, so that a jump is suspected.
inline constexpr double unlikely_condition = 0x1p20;
/// The largest factor by which a condition is raised towards the medians of its row and column, by which one
/// of these exceeds the other in the condition of an unmoved zero, and by which more draws raise a tolerance
/// (more_draws.hpp).
inline constexpr double raise_limit = 32;

/// The lower bound of a condition, over the medians of its row and column. Float64 shows no response this
/// small: with steps of 2^-30 its own rounding is 2^-23 of them.
inline constexpr double least_condition = 0x1p-30;

/// One output's values in all runs of the reference. Complex numbers are pairs; spans have elements *
/// components numbers.
struct ReferenceRuns {
  std::int64_t elements = 0;
  std::int64_t row = 1;  ///< length of the last axis, which divides `elements`
  int components = 1;
  std::span<const double> oracle, own, first, second;  ///< first, second: the perturbed runs
  std::vector<std::span<const double>> more = {};      ///< further perturbed runs at first_step
};

/// Writes `elements` tolerances and scales s. Uses several threads.
void derive_tolerance(const Precision& precision, const ReferenceRuns& runs, std::span<double> tolerance,
                      std::span<double> scale);

}  // namespace ridgeline::verifier
