// Steps that both derivations of tolerances on a device share: the short one (ordinary_tolerance.hpp) and the
// complete one (tolerance_on_device.cpp). tolerance.hpp states the formula.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <limits>

namespace ridgeline::verifier {

/// Marks a distance without bound.
inline constexpr double no_bound = std::numeric_limits<double>::infinity();

/// The distance of two runs, element by element: 0 for the same infinity or NaN in both, infinite if only one
/// is finite.
at::Tensor moved_by(const at::Tensor& a, const at::Tensor& b);

/// Replaces infinities and NaN by 0.
at::Tensor finite_or_zero(const at::Tensor& t);

/// How many numbers of a row or column a median looks at, in outputs of moderate size.
inline constexpr std::int64_t enough_for_medians = 255;

/// An output with so many times the rows that a sample looks at has few of its rows in the sample.
inline constexpr std::int64_t few_rows_in_sample = 4;

/// The upper median of each column of `sample`, a matrix that holds some rows of an output. Returns one row.
at::Tensor column_medians_of(const at::Tensor& sample);

/// Raises each condition of a matrix towards the medians of its row and its column, by a factor of at most
/// raise_limit. A row's median is taken over about `enough` of its numbers. Undefined `column_medians` are
/// ignored.
at::Tensor raise_towards_medians(const at::Tensor& conditions, const at::Tensor& column_medians,
                                 std::int64_t enough);

/// Returns a mask of the elements whose condition is less than least_condition times `mean`, the mean of all:
/// perturbations may not show it.
at::Tensor maybe_unshown(const at::Tensor& conditions, double mean);

/// The upper median of the conditions above 0 in each column of `sample`, a matrix that holds some rows of an
/// output. Returns one row; 0 where a column has none.
at::Tensor positive_column_medians_of(const at::Tensor& sample);

/// Returns `raised` with the elements of the mask `unshown` raised by the last two rules of tolerance.hpp:
/// zeros that no perturbation moves, and the least condition. `values` are the oracle's magnitudes,
/// `conditions` those before raise_towards_medians, `raised` those after. `column_medians` comes from
/// positive_column_medians_of and has one row; the others are matrices of one shape. A row's median is taken
/// over about `enough` numbers.
at::Tensor with_unshown_conditions(const at::Tensor& raised, const at::Tensor& unshown,
                                   const at::Tensor& values, const at::Tensor& conditions,
                                   const at::Tensor& column_medians, std::int64_t enough);

/// The exponent bits of non-negative float64 or float32 numbers, as integers: they rise with the value, and
/// are 0 for zero.
at::Tensor exponent_of(const at::Tensor& values);

/// Keeps, for each binary exponent of the oracle's value, the largest error seen among such values.
class LargestErrors {
 public:
  /// Adds `errors` (absolute) of elements whose magnitudes are `values`; both flat, on one device, of one
  /// dtype.
  void add(const at::Tensor& values, const at::Tensor& errors);
  /// For each of the 2048 exponents of float64: the largest error at this and all lower ones. On the CPU.
  at::Tensor at_or_below() const;

 private:
  std::array<double, 0x800> largest_{};
};

}  // namespace ridgeline::verifier
