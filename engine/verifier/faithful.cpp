#include "engine/verifier/faithful.hpp"

#include <ATen/TensorOperators.h>

#include <span>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/closeness.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/quantization.hpp"

namespace ridgeline::verifier {
namespace {

std::span<const double> flat_doubles(const at::Tensor& t) {
  return {static_cast<const double*>(t.const_data_ptr()), static_cast<std::size_t>(t.numel())};
}

/// The rule of torch.allclose that a task's suite uses for an output of `dtype`.
Closeness rule_of(const Task& task, DType dtype) {
  const bool class_of_torch = task.module && !answers_with_function(task);
  // KernelBench's tolerance goes by the precision of the whole task, whatever dtype an output has.
  const auto precision = class_of_torch ? task.module->cast_to.value_or(dtype) : dtype;
  const bool half = precision == DType::float16 || precision == DType::bfloat16;
  if (class_of_torch)
    return {.tolerance = half ? 1e-2 : 1e-4,
            .exact = is_complex(dtype),
            .nan_equals_nan = false,
            .relative_to_got = true,
            .in_own_dtype = dtype == DType::float16 || dtype == DType::bfloat16};
  return {.tolerance = half ? 5e-3 : 1e-5, .exact = !is_floating(dtype)};
}

bool within_published_gates(const Task& task, const at::Tensor& got, const at::Tensor& plain) {
  const bool wide =
      task.name.find("attention") != std::string::npos || task.name.find("w4a16") != std::string::npos;
  const auto values = got.to(at::kDouble).contiguous();
  const auto d = quantization_distance(flat_doubles(values), flat_doubles(plain));
  return d.cosine >= (wide ? 0.90 : 0.95) && d.relative_l1 <= (wide ? 0.10 : 0.05) &&
         d.rmse <= (wide ? 0.15 : 0.10);
}

/// Returns the values of output `i` that say where it must be finite: the reference's first draw, or its run.
at::Tensor draw_or_own_run(const Expected& expected, std::size_t i) {
  const bool drawn = i < expected.draws.size() && expected.draws[i].defined();
  return drawn ? expected.draws[i].select(0, 0) : expected.own[i];
}

/// Whether `got` is finite wherever `wanted` is; they may lie on different devices.
bool is_finite_where_expected(const at::Tensor& got, const at::Tensor& wanted) {
  const auto values = got.reshape(-1);
  const auto free = wanted.reshape(-1).narrow(0, 0, values.numel()).isfinite().logical_not();
  return values.isfinite().logical_or(free.to(values.device())).all().item<bool>();
}

}  // namespace

bool faithful_correct(const Task& task, const Expected& expected, const std::vector<at::Tensor>& got) {
  const auto declared = outputs_of(task);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    auto values = got[i];
    const auto& own = expected.own[i];
    // A data-dependent output comes at full capacity; only the rows that the reference counted are compared.
    if (values.dim() > 0 && own.dim() > 0 && values.size(0) > own.size(0))
      values = values.narrow(0, 0, own.size(0));
    if (values.sizes() != own.sizes()) return false;
    values = expected.unquantized.empty() ? values.contiguous() : values.cpu().contiguous();
    bool right = false;
    if (!expected.draws.empty() || task.choice)  // another choice is as right as the reference's
      right = is_finite_where_expected(values, draw_or_own_run(expected, i));
    else if (!expected.unquantized.empty())
      right = within_published_gates(task, values, expected.unquantized[i].cpu());
    else
      right = all_close(rule_of(task, declared[i]->dtype), declared[i]->dtype, values, own);
    if (!right) return false;
  }
  return true;
}

}  // namespace ridgeline::verifier
