#include "engine/verifier/tolerance_on_device.hpp"

#include <ATen/ops/abs.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "engine/verifier/derivation.hpp"
#include "engine/verifier/ordinary_tolerance.hpp"

namespace ridgeline::verifier {
namespace {

/// The quantities of a range of elements, flat; derivation as in tolerance.cpp.
struct Piece {
  at::Tensor value, condition, own_error, jump;  // float64
  at::Tensor finite, undecided;                  // bool
};

/// Derives tolerances some rows at a time, so that gigabytes need little memory beside themselves.
class TensorDerivation {
 public:
  TensorDerivation(const Precision& precision, const at::Tensor& oracle, const at::Tensor& own,
                   const Responses& responses, std::int64_t most)
      : precision_(precision),
        row_(oracle.dim() == 0 ? 1 : std::max<std::int64_t>(1, oracle.size(-1))),
        rows_(oracle.numel() / row_),
        step_(std::clamp<std::int64_t>(most / row_, 1, rows_)),
        oracle_(oracle.reshape({rows_, row_})),
        own_(own.reshape({rows_, row_})),
        first_(responses.first().reshape({rows_, row_})),
        second_(responses.second().reshape({rows_, row_})),
        expendable_(responses.expendable()) {
    find_typical();
    if (precision_.reduces && oracle.numel() >= 4 && rows_ >= 4) find_column_medians();
    find_largest_own_errors();
  }

  Tolerances run(c10::IntArrayRef shape) {
    const auto options = oracle_.options().dtype(first_.scalar_type());
    // What is read of the distances later than in its own piece is a sample of few rows.
    const bool in_place = expendable_ && rows_ >= few_rows_in_sample * enough_for_medians;
    if (in_place) sample_ = sampled_conditions();
    auto tolerance = in_place ? first_ : at::empty({rows_, row_}, options);
    auto scale = in_place ? second_ : at::empty({rows_, row_}, options);
    for (std::int64_t begin = 0; begin < rows_; begin += step_) {
      const auto length = std::min(step_, rows_ - begin);
      const auto [piece_tolerance, piece_scale] = tolerance_of(with_raised(piece(begin, length)));
      tolerance.narrow(0, begin, length).copy_(piece_tolerance.reshape({length, row_}));
      scale.narrow(0, begin, length).copy_(piece_scale.reshape({length, row_}));
    }
    return {tolerance.reshape(shape), scale.reshape(shape)};
  }

 private:
  void find_typical() {
    double squares = 0, count = 0;
    for (std::int64_t begin = 0; begin < rows_; begin += step_) {
      const auto value = oracle_.narrow(0, begin, std::min(step_, rows_ - begin));
      const auto finite = value.isfinite();
      squares += at::where(finite, value.square(), 0.0).sum().item<double>();
      count += static_cast<double>(finite.sum().item<std::int64_t>());
    }
    typical_ = count == 0 ? 0 : std::sqrt(squares / count);
  }

  /// Reads the rows from `begin` on. If that is all rows, the result is kept for the second pass.
  Piece piece(std::int64_t begin, std::int64_t length) {
    if (length == rows_ && whole_) return *whole_;
    const auto cut = [&](const at::Tensor& t) {
      return t.narrow(0, begin, length).reshape(-1).to(at::kDouble);
    };
    auto read_piece = read(cut(oracle_), cut(own_), cut(first_), cut(second_));
    if (length == rows_) whole_ = read_piece;
    return read_piece;
  }

  /// Derives conditions, jumps and undecided elements: the same decisions as Derivation::read_element.
  Piece read(const at::Tensor& oracle, const at::Tensor& own, const at::Tensor& first,
             const at::Tensor& second) const {
    Piece p;
    p.value = oracle.abs();
    p.finite = p.value.isfinite();
    const auto jumped_away = first.isinf().logical_or(second.isinf());
    p.own_error = moved_by(oracle, own);
    const auto in_range = p.value.lt(precision_.limit * (1 - 2 * precision_.output_roundoff));
    const auto lost = p.own_error.isinf().logical_and(p.finite);
    p.undecided = jumped_away.logical_or(lost.logical_and(in_range));
    p.own_error = finite_or_zero(p.own_error);
    const auto weighed = p.finite.logical_and(jumped_away.logical_not());
    p.value = at::where(p.finite.logical_or(jumped_away), p.value, 0.0);

    const auto by_first = first.mul(1 / first_step), by_second = second.mul(1 / second_step);
    const auto least = at::minimum(by_first, by_second);
    p.condition = at::maximum(by_first, by_second);
    const auto plausible = p.value.clamp_min(typical_).mul(unlikely_condition);
    const auto is_jump =
        p.condition.gt(plausible).logical_and(p.condition.gt(least.mul(16))).logical_and(weighed);
    p.jump = at::where(is_jump, at::maximum(first, second), 0.0);
    p.condition = at::where(is_jump, at::where(least.gt(plausible), 0.0, least), p.condition);
    p.condition = at::where(weighed, p.condition, 0.0);
    return p;
  }

  /// The conditions of some rows, from which columns take their medians, as row_medians takes some columns.
  at::Tensor sampled_conditions() const {
    if (sample_.defined()) return sample_;
    const auto step = std::max<std::int64_t>(1, rows_ / enough_for_medians);
    const auto cut = [&](const at::Tensor& t) {
      return t.slice(0, 0, std::nullopt, step).reshape(-1).to(at::kDouble);
    };
    return read(cut(oracle_), cut(own_), cut(first_), cut(second_)).condition.reshape({-1, row_});
  }

  void find_column_medians() { column_medians_ = column_medians_of(sampled_conditions()); }

  Piece with_raised(Piece p) {
    const auto own = p.condition.reshape({-1, row_});
    auto condition = own;
    if (precision_.reduces && oracle_.numel() >= 4)
      condition = raise_towards_medians(own, column_medians_, enough_for_medians);
    const auto decided = p.finite.logical_and(p.undecided.logical_not()).logical_and_(p.jump.eq(0));
    const auto unshown =
        maybe_unshown(p.condition, mean_condition_).logical_and_(decided).reshape({-1, row_});
    if (unshown.any().item<bool>()) {
      if (!positive_column_medians_.defined())
        positive_column_medians_ =
            rows_ == 1 ? sampled_conditions() : positive_column_medians_of(sampled_conditions());
      condition = with_unshown_conditions(condition, unshown, p.value.reshape({-1, row_}), own,
                                          positive_column_medians_, enough_for_medians);
    }
    p.condition = condition.reshape(-1);
    return p;
  }

  /// Finds the reference's largest error at each and all lower exponents of |y|, and the mean condition.
  void find_largest_own_errors() {
    LargestErrors errors;
    for (std::int64_t begin = 0; begin < rows_; begin += step_) {
      const auto p = piece(begin, std::min(step_, rows_ - begin));
      const auto counts = p.finite.logical_and(p.undecided.logical_not()).logical_and(p.jump.eq(0));
      errors.add(p.value, at::where(counts, p.own_error, 0.0));
      mean_condition_ += p.condition.sum().item<double>() / static_cast<double>(oracle_.numel());
    }
    largest_own_errors_ = errors.at_or_below().to(oracle_.device());
  }

  Tolerances tolerance_of(const Piece& p) const {
    const auto scale = at::maximum(p.value, p.condition);
    const auto own = largest_own_errors_.index_select(0, exponent_of(p.value));
    const auto local = at::maximum(own, scale.mul(precision_.output_roundoff)).mul(precision_.local);
    const auto grown = scale.mul(precision_.growth * precision_.accumulator_roundoff);
    auto tolerance = local.add(grown).mul(precision_.slack).add(precision_.floor);
    const auto other_side = p.jump.gt(0).logical_and(p.own_error.gt(tolerance));
    tolerance = at::where(other_side, at::maximum(p.jump, p.own_error).mul(1.5), tolerance);
    tolerance = at::where(p.finite, tolerance, precision_.floor);
    return {at::where(p.undecided, no_bound, tolerance), scale};
  }

  const Precision& precision_;
  std::int64_t row_, rows_, step_;
  at::Tensor oracle_, own_, first_, second_;  // rows, columns
  bool expendable_;
  double typical_ = 0, mean_condition_ = 0;
  at::Tensor sample_, column_medians_, positive_column_medians_, largest_own_errors_;
  std::optional<Piece> whole_;
};

}  // namespace

Tolerances derive_tolerance(const Precision& precision, const at::Tensor& oracle, const at::Tensor& own,
                            const Responses& responses, std::int64_t most) {
  if (oracle.numel() == 0) return {at::zeros_like(oracle), at::zeros_like(oracle)};
  if (auto plain = derive_ordinary_tolerance(precision, oracle, own, responses, most))
    return std::move(*plain);
  return TensorDerivation(precision, oracle, own, responses, most).run(oracle.sizes());
}

}  // namespace ridgeline::verifier
