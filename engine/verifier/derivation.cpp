#include "engine/verifier/derivation.hpp"

#include <ATen/ops/amax.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/verifier/tolerance.hpp"

namespace ridgeline::verifier {

namespace {

at::Tensor row_medians(const at::Tensor& matrix, std::int64_t enough) {
  const auto step = std::max<std::int64_t>(1, matrix.size(1) / enough);
  const auto sample = matrix.slice(1, 0, std::nullopt, step);
  return std::get<0>(sample.sort(1)).select(1, sample.size(1) / 2);
}

/// The upper median of the numbers above 0 along `axis`, which is kept with length 1; 0 where there are none.
at::Tensor positive_medians(const at::Tensor& sample, std::int64_t axis) {
  const auto sorted = std::get<0>(sample.sort(axis));
  const auto zeros = sorted.le(0).sum(axis, /*keepdim=*/true);
  const auto middle = zeros.add(sorted.size(axis)).div(2, "floor").clamp_max(sorted.size(axis) - 1);
  return sorted.gather(axis, middle);
}

}  // namespace

at::Tensor moved_by(const at::Tensor& a, const at::Tensor& b) {
  const auto same = a.eq(b).logical_or(a.isnan().logical_and(b.isnan()));
  const auto apart = a.sub(b).abs();
  return at::where(same, 0.0, at::where(apart.isfinite(), apart, no_bound));
}

at::Tensor finite_or_zero(const at::Tensor& t) {
  return at::where(t.isfinite(), t, 0.0);
}

at::Tensor column_medians_of(const at::Tensor& sample) {
  return std::get<0>(sample.sort(0)).select(0, sample.size(0) / 2).unsqueeze(0);
}

at::Tensor raise_towards_medians(const at::Tensor& conditions, const at::Tensor& column_medians,
                                 std::int64_t enough) {
  auto around = at::zeros({1, 1}, conditions.options());
  if (conditions.size(1) >= 4) around = at::maximum(around, row_medians(conditions, enough).unsqueeze(1));
  if (column_medians.defined()) around = at::maximum(around, column_medians);
  return at::maximum(conditions, at::minimum(around, conditions.mul(raise_limit)));
}

at::Tensor maybe_unshown(const at::Tensor& conditions, double mean) {
  return conditions.lt(least_condition * mean);
}

at::Tensor positive_column_medians_of(const at::Tensor& sample) {
  return positive_medians(sample, 0);
}

at::Tensor with_unshown_conditions(const at::Tensor& raised, const at::Tensor& unshown,
                                   const at::Tensor& values, const at::Tensor& conditions,
                                   const at::Tensor& column_medians, std::int64_t enough) {
  const auto step = std::max<std::int64_t>(1, conditions.size(1) / enough);
  const auto by_row = positive_medians(conditions.slice(1, 0, std::nullopt, step), 1);
  const auto unmoved_zeros = values.eq(0).logical_and_(conditions.eq(0));
  const auto most = at::maximum(by_row, column_medians), least = at::minimum(by_row, column_medians);
  const auto of_zeros = at::where(least.gt(0), at::minimum(most, least.mul(raise_limit)), most);
  const auto around = at::where(unmoved_zeros, of_zeros, least.mul(least_condition));
  return at::where(unshown, at::maximum(raised, around), raised);
}

at::Tensor exponent_of(const at::Tensor& values) {
  const bool wide = values.scalar_type() == at::kDouble;
  return values.view(wide ? at::kLong : at::kInt).bitwise_right_shift(wide ? 52 : 23);
}

void LargestErrors::add(const at::Tensor& values, const at::Tensor& errors) {
  const auto exponents = exponent_of(values);
  const auto populated = at::bincount(exponents, {}, static_cast<std::int64_t>(largest_.size())).cpu();
  const auto* count = static_cast<const std::int64_t*>(populated.const_data_ptr());
  std::vector<std::size_t> bins;
  std::vector<at::Tensor> maxima;  // read back together: each read of a device waits for it
  for (std::size_t i = 0; i < largest_.size(); ++i) {
    if (count[i] == 0) continue;
    bins.push_back(i);
    maxima.push_back(at::where(exponents.eq(static_cast<std::int64_t>(i)), errors, 0.0).amax());
  }
  if (maxima.empty()) return;
  const auto read = at::stack(maxima).to(at::kDouble).cpu();
  const auto* values_of_bins = static_cast<const double*>(read.const_data_ptr());
  for (std::size_t i = 0; i < bins.size(); ++i)
    largest_[bins[i]] = std::max(largest_[bins[i]], values_of_bins[i]);
}

at::Tensor LargestErrors::at_or_below() const {
  auto table =
      at::empty({static_cast<std::int64_t>(largest_.size())}, at::TensorOptions().dtype(at::kDouble));
  std::partial_sum(largest_.begin(), largest_.end(), static_cast<double*>(table.data_ptr()),
                   [](double a, double b) { return std::max(a, b); });
  return table;
}

}  // namespace ridgeline::verifier
