#include "engine/verifier/faithful.hpp"

#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>

#include <atomic>
#include <cmath>
#include <span>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/elements.hpp"
#include "engine/verifier/parallel.hpp"
#include "engine/verifier/quantization.hpp"

namespace ridgeline::verifier {
namespace {

std::span<const double> doubles(const at::Tensor& t) {
  return {static_cast<const double*>(t.const_data_ptr()), static_cast<std::size_t>(t.numel())};
}

/// One suite's rule for two numbers.
struct Rule {
  double tolerance;            ///< absolute and relative
  bool exact_integers = true;  ///< else they are held against the tolerance as numbers
  bool nan_equals_nan = true;
  bool relative_to_got = false;  ///< torch.allclose(expected, got) takes the second's magnitude

  bool close(double got, double own) const {
    if (std::isnan(got) || std::isnan(own)) return nan_equals_nan && std::isnan(got) && std::isnan(own);
    if (got == own) return true;
    const double magnitude = std::fabs(relative_to_got ? got : own);
    return std::isfinite(own) && std::isfinite(got) &&
           std::fabs(got - own) <= tolerance + tolerance * magnitude;
  }
};

Rule rule_of(const Task& task, DType dtype) {
  const bool half = dtype == DType::float16 || dtype == DType::bfloat16;
  if (task.module) return {half ? 1e-2 : 1e-4, false, false, true};
  return {half ? 5e-3 : 1e-5};
}

/// The same rule on a device; of real numbers and integers.
bool all_close_there(const Rule& rule, bool exact, const at::Tensor& got, const at::Tensor& own) {
  const auto both_nan = got.isnan().logical_and(own.isnan());
  auto close = got.eq(own);
  if (exact || rule.nan_equals_nan) close = close.logical_or(both_nan);
  if (!exact) {
    const auto a = got.to(at::kDouble), b = own.to(at::kDouble);
    const auto room = (rule.relative_to_got ? a : b).abs().mul(rule.tolerance).add(rule.tolerance);
    close = close.logical_or(a.sub(b).abs().le(room).logical_and(a.isfinite()).logical_and(b.isfinite()));
  }
  return close.all().item<bool>();
}

bool all_close(const Task& task, DType dtype, const at::Tensor& got, const at::Tensor& own) {
  const auto rule = rule_of(task, dtype);
  const bool exact = !is_floating(dtype) && (is_complex(dtype) || rule.exact_integers);
  if (!got.is_cpu()) return all_close_there(rule, exact, got, own);
  return with_type(dtype, [&]<class T>(T*) {
    const auto* a = static_cast<const T*>(got.const_data_ptr());
    const auto* b = static_cast<const T*>(own.const_data_ptr());
    std::atomic<bool> close = true;
    in_ranges(got.numel() * components(dtype), [&](std::int64_t begin, std::int64_t end) {
      for (auto i = begin; i < end && close; ++i)
        if (exact ? !(a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]))
                  : !rule.close(to_double(a[i]), to_double(b[i])))
          close = false;
    });
    return close.load();
  });
}

bool within_published_gates(const Task& task, const at::Tensor& got, const at::Tensor& plain) {
  const bool wide =
      task.name.find("attention") != std::string::npos || task.name.find("w4a16") != std::string::npos;
  const auto values = got.to(at::kDouble).contiguous();
  const auto d = quantization_distance(doubles(values), doubles(plain));
  return d.cosine >= (wide ? 0.90 : 0.95) && d.relative_l1 <= (wide ? 0.10 : 0.05) &&
         d.rmse <= (wide ? 0.15 : 0.10);
}

/// Finite wherever every draw of the reference is.
bool is_finite_where_expected(const at::Tensor& got, const at::Tensor& draws) {
  const auto values = got.to(at::kDouble).contiguous();
  const auto a = doubles(values), b = doubles(draws);
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!std::isfinite(a[i]) && std::isfinite(b[i])) return false;
  return true;
}

}  // namespace

bool faithful_correct(const Task& task, const Expected& expected, const std::vector<at::Tensor>& got) {
  const auto declared = outputs_of(task);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    auto values = got[i];
    const auto& own = expected.own[i];
    if (values.dim() > 0 && own.dim() > 0 && values.size(0) > own.size(0))
      values = values.narrow(0, 0, own.size(0));
    if (values.sizes() != own.sizes()) return false;
    values = expected.unquantized.empty() ? values.contiguous() : values.cpu().contiguous();
    bool right = false;
    if (!expected.draws.empty())
      right = is_finite_where_expected(values, expected.draws[i]);
    else if (!expected.unquantized.empty())
      right = within_published_gates(task, values, expected.unquantized[i].cpu());
    else
      right = all_close(task, declared[i]->dtype, values, own);
    if (!right) return false;
  }
  return true;
}

}  // namespace ridgeline::verifier
