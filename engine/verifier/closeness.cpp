#include "engine/verifier/closeness.hpp"

#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "engine/verifier/elements.hpp"
#include "engine/verifier/parallel.hpp"
#include "engine/verifier/responses.hpp"

namespace ridgeline::verifier {
namespace {

// Applies torch.isclose to one pair of components.
template <class T>
bool close(const Closeness& rule, T got, T own) {
  if (got == own) return true;
  // A value differs from itself only if it is NaN.
  const bool both_nan = got != got && own != own;
  if (rule.exact || both_nan) return both_nan && (rule.exact || rule.nan_equals_nan);
  const double a = to_double(got), b = to_double(own);
  return std::isfinite(a) && std::isfinite(b) &&
         std::fabs(a - b) <= rule.tolerance + rule.tolerance * std::fabs(rule.relative_to_got ? a : b);
}

bool piece_close(const Closeness& rule, const at::Tensor& got, const at::Tensor& own) {
  auto near = got.eq(own);
  if (rule.exact || rule.nan_equals_nan) near = near.logical_or(got.isnan().logical_and(own.isnan()));
  if (!rule.exact) {
    const auto dtype = rule.in_own_dtype ? got.scalar_type() : at::kDouble;
    const auto a = got.to(dtype), b = own.to(dtype);
    const auto room = (rule.relative_to_got ? a : b).abs().mul(rule.tolerance).add(rule.tolerance);
    near = near.logical_or(a.sub(b).abs().le(room).logical_and(a.isfinite()).logical_and(b.isfinite()));
  }
  return near.all().item<bool>();
}

}  // namespace

bool all_close(const Closeness& rule, DType dtype, const at::Tensor& got, const at::Tensor& own) {
  if (!got.is_cpu() || rule.in_own_dtype) return all_close_by_operators(rule, got, own);
  return with_type(dtype, [&]<class T>(T*) {
    const auto* a = static_cast<const T*>(got.const_data_ptr());
    const auto* b = static_cast<const T*>(own.const_data_ptr());
    std::atomic<bool> all = true;
    in_ranges(got.numel() * components(dtype), [&](std::int64_t begin, std::int64_t end) {
      // Stops early in every thread once one element is off.
      for (auto i = begin; i < end && all; ++i)
        if (!close(rule, a[i], b[i])) all = false;
    });
    return all.load();
  });
}

bool all_close_by_operators(const Closeness& rule, const at::Tensor& got, const at::Tensor& own) {
  const auto flat_got = got.reshape(-1), flat_own = own.reshape(-1);
  // Works on pieces, so that the float64 copies of a tensor of gigabytes stay bounded.
  for (std::int64_t begin = 0; begin < flat_got.numel(); begin += kPieceElements) {
    const auto length = std::min(kPieceElements, flat_got.numel() - begin);
    if (!piece_close(rule, flat_got.narrow(0, begin, length), flat_own.narrow(0, begin, length)))
      return false;
  }
  return true;
}

}  // namespace ridgeline::verifier
