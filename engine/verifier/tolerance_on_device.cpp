#include <ATen/ops/abs.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <limits>

#include "engine/verifier/on_device.hpp"

namespace ridgeline::verifier {
namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();
constexpr std::int64_t binades = 0x800;

/// 0 for the same infinity or NaN in both, infinite if only one is finite.
at::Tensor moved_by(const at::Tensor& a, const at::Tensor& b) {
  const auto same = a.eq(b).logical_or(a.isnan().logical_and(b.isnan()));
  const auto apart = a.sub(b).abs();
  return at::where(same, 0.0, at::where(apart.isfinite(), apart, no_bound));
}

at::Tensor finite_or_zero(const at::Tensor& t) {
  return at::where(t.isfinite(), t, 0.0);
}

/// The upper median of a sample of each row of a matrix.
at::Tensor row_medians(const at::Tensor& matrix) {
  constexpr std::int64_t enough = 255;
  const auto step = std::max<std::int64_t>(1, matrix.size(1) / enough);
  const auto sample = matrix.slice(1, 0, std::nullopt, step);
  return std::get<0>(sample.sort(1)).select(1, sample.size(1) / 2);
}

/// The exponent's bits: rising with the value, 0 for zero.
at::Tensor binade_of(const at::Tensor& values) {
  return values.view(at::kLong).bitwise_right_shift(52).bitwise_and(binades - 1);
}

class TensorDerivation {
 public:
  TensorDerivation(const Precision& precision, const at::Tensor& oracle, const at::Tensor& own,
                   const std::vector<at::Tensor>& draws)
      : precision_(precision), row_(oracle.dim() == 0 ? 1 : oracle.size(-1)) {
    read(oracle.reshape(-1), own.reshape(-1), draws);
    if (precision_.reduces) raise_conditions();
  }

  Tolerances run(c10::IntArrayRef shape) const {
    const auto scale = at::maximum(value_, condition_);
    const auto own = largest_own_errors().index_select(0, binade_of(value_));
    const auto local = at::maximum(own, scale.mul(precision_.output_roundoff)).mul(precision_.local);
    const auto grown = scale.mul(precision_.growth * precision_.accumulator_roundoff);
    auto tolerance = local.add(grown).mul(precision_.slack).add(precision_.floor);
    const auto other_side = jump_.gt(0).logical_and(own_error_.gt(tolerance));
    tolerance = at::where(other_side, at::maximum(jump_, own_error_).mul(1.5), tolerance);
    tolerance = at::where(finite_, tolerance, precision_.floor);
    tolerance = at::where(undecided_, no_bound, tolerance);
    return {tolerance.reshape(shape), scale.reshape(shape)};
  }

 private:
  void read(const at::Tensor& oracle, const at::Tensor& own, const std::vector<at::Tensor>& draws) {
    value_ = oracle.abs();
    finite_ = value_.isfinite();
    const auto count = finite_.sum().item<std::int64_t>();
    const auto squares = at::where(finite_, value_.square(), 0.0).sum().item<double>();
    const double typical = count == 0 ? 0 : std::sqrt(squares / static_cast<double>(count));

    const auto first = moved_by(oracle, draws[0].reshape(-1)),
               second = moved_by(oracle, draws[1].reshape(-1));
    auto further = at::zeros_like(first);
    for (std::size_t i = 2; i < draws.size(); ++i)
      further = at::maximum(further, finite_or_zero(moved_by(oracle, draws[i].reshape(-1))));
    const auto jumped_away = first.isinf().logical_or(second.isinf());

    own_error_ = moved_by(oracle, own);
    const auto in_range = value_.lt(precision_.limit * (1 - 2 * precision_.output_roundoff));
    const auto lost = own_error_.isinf().logical_and(finite_);
    undecided_ = jumped_away.logical_or(lost.logical_and(in_range));
    own_error_ = finite_or_zero(own_error_);
    const auto weighed = finite_.logical_and(jumped_away.logical_not());
    value_ = at::where(finite_.logical_or(jumped_away), value_, 0.0);

    const auto largest = at::maximum(first, further);
    const auto one = largest.mul(1 / first_step), two = second.mul(1 / second_step);
    const auto least = at::minimum(one, two);
    condition_ = at::maximum(one, two);
    const auto plausible = value_.clamp_min(typical).mul(unlikely_condition);
    const auto is_jump =
        condition_.gt(plausible).logical_and(condition_.gt(least.mul(16))).logical_and(weighed);
    jump_ = at::where(is_jump, at::maximum(largest, second), 0.0);
    condition_ = at::where(is_jump, at::where(least.gt(plausible), 0.0, least), condition_);
    condition_ = at::where(weighed, condition_, 0.0);
  }

  void raise_conditions() {
    const auto elements = condition_.numel();
    if (elements < 4 || row_ == 0) return;
    const auto matrix = condition_.reshape({elements / row_, row_});
    auto around = at::zeros({1, 1}, matrix.options());
    if (matrix.size(1) >= 4) around = at::maximum(around, row_medians(matrix).unsqueeze(1));
    if (matrix.size(0) >= 4) around = at::maximum(around, row_medians(matrix.t()).unsqueeze(0));
    condition_ = at::maximum(matrix, at::minimum(around, matrix.mul(raise_limit))).reshape(-1);
  }

  /// Largest own error at this and lower exponents of |y|, by exponent.
  at::Tensor largest_own_errors() const {
    const auto counts = finite_.logical_and(undecided_.logical_not()).logical_and(jump_.eq(0));
    const auto errors = at::where(counts, own_error_, 0.0);
    const auto of = binade_of(value_);
    const auto populated = at::bincount(of, {}, binades).cpu();
    auto largest = at::zeros({binades}, at::TensorOptions().dtype(at::kDouble));
    auto* at_exponent = largest.mutable_data_ptr<double>();
    for (std::int64_t i = 0; i < binades; ++i)
      if (static_cast<const std::int64_t*>(populated.const_data_ptr())[i] > 0)
        at_exponent[i] = at::where(of.eq(i), errors, 0.0).amax().item<double>();
    for (std::int64_t i = 1; i < binades; ++i) at_exponent[i] = std::max(at_exponent[i], at_exponent[i - 1]);
    return largest.to(value_.device());
  }

  const Precision& precision_;
  std::int64_t row_;
  at::Tensor value_, condition_, own_error_, jump_;  // float64, flat
  at::Tensor finite_, undecided_;                    // bool
};

}  // namespace

Tolerances derive_tolerance(const Precision& precision, const at::Tensor& oracle, const at::Tensor& own,
                            const std::vector<at::Tensor>& draws) {
  if (oracle.numel() == 0) return {at::zeros_like(oracle), at::zeros_like(oracle)};
  return TensorDerivation(precision, oracle, own, draws).run(oracle.sizes());
}

}  // namespace ridgeline::verifier
