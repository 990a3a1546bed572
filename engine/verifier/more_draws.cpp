#include "engine/verifier/more_draws.hpp"

#include <ATen/ops/empty_like.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <variant>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/fit.hpp"
#include "engine/verifier/perturb.hpp"
#include "engine/verifier/responses.hpp"
#include "engine/verifier/tolerance.hpp"

namespace ridgeline::verifier {
namespace {

constexpr double kFewWrong = 1e-4;  // of the elements; one element in any case

/// The largest finite number that `t` can hold. Large outputs have their figures in float32.
double largest_number_in(const at::Tensor& t) {
  return t.scalar_type() == at::kFloat ? std::numeric_limits<float>::max()
                                       : std::numeric_limits<double>::max();
}

/// Raises tolerances and scales to what the conditions in `responses` ask for, by the formula of
/// tolerance.hpp. The reference's own error stays in the tolerance that there is. A jump under a perturbation
/// looks like an immense condition: the limit keeps it from making room for more than rounding.
void raise_to(const Precision& precision, const Responses& responses, at::Tensor& tolerance,
              at::Tensor& scale) {
  const double roundings = precision.slack * (precision.local * precision.output_roundoff +
                                              precision.growth * precision.accumulator_roundoff);
  auto raised = at::empty_like(tolerance), raised_scale = at::empty_like(scale);
  const auto pieces = [](const at::Tensor& t, std::int64_t begin, std::int64_t length) {
    return t.reshape(-1).narrow(0, begin, length);
  };
  for (std::int64_t begin = 0; begin < tolerance.numel(); begin += kPieceElements) {
    const auto length = std::min(kPieceElements, tolerance.numel() - begin);
    const auto before = pieces(scale, begin, length).to(at::kDouble);
    const auto room = pieces(tolerance, begin, length).to(at::kDouble);
    const auto condition = pieces(responses.first(), begin, length).to(at::kDouble).mul_(1 / first_step);
    const auto magnitude = at::maximum(before, at::minimum(condition, before.mul(raise_limit)));
    pieces(raised_scale, begin, length).copy_(magnitude.clamp_max(largest_number_in(scale)));
    const auto wider =
        magnitude.mul(roundings).add_(precision.floor).clamp_max_(largest_number_in(tolerance));
    pieces(raised, begin, length).copy_(at::maximum(room, wider));
  }
  tolerance = raised;
  scale = raised_scale;
}

}  // namespace

bool may_pass_by_more_draws(const Task& task, const Comparison& compared) {
  if (compared.ok || !compared.mismatch || !std::holds_alternative<Elementwise>(task.contract)) return false;
  if (compared.reason != Reason::wrong_values && compared.reason != Reason::lower_precision) return false;
  const auto& mismatch = *compared.mismatch;
  const double few = std::max(1.0, kFewWrong * static_cast<double>(mismatch.elements));
  return static_cast<double>(mismatch.wrong) <= few;
}

Expected with_more_draws(const Reference& reference, const Task& task, const Case& task_case, InputSet set,
                         const std::vector<at::Tensor>& inputs, const Expected& expected) {
  const auto declared = outputs_of(task);
  std::vector<std::optional<Responses>> responses(declared.size());
  for (std::size_t number = perturbations; number < perturbations + further_perturbations; ++number) {
    if (expected.slice_plan.cuts()) {  // all outputs are floating and were derived
      run_in_slices(reference, task, task_case, inputs, expected.slice_plan, first_step, sign_seed + number,
                    [&](std::int64_t begin, const std::vector<at::Tensor>& rows) {
                      for (std::size_t i = 0; i < rows.size(); ++i) {
                        if (!responses[i]) responses[i].emplace(expected.oracle[i]);
                        responses[i]->add(rows[i], number, begin * (rows[i].numel() / rows[i].size(0)));
                      }
                    });
      continue;
    }
    auto draws = fit_outputs(
        task, task_case, reference.run_perturbed(inputs, task_case, first_step, sign_seed + number), true);
    for (std::size_t i = 0; i < declared.size(); ++i) {
      const auto& oracle = expected.oracle[i];
      const bool derived = i < expected.tolerance.size() && expected.tolerance[i].defined();
      if (derived && !oracle.is_complex() && draws[i].sizes() == oracle.sizes()) {
        if (!responses[i]) responses[i].emplace(oracle);
        responses[i]->add(draws[i], number);
      }
      draws[i].reset();
    }
  }
  auto raised = expected;
  for (std::size_t i = 0; i < declared.size(); ++i)
    if (responses[i] && expected.oracle[i].numel() > 0)
      raise_to(precision_for(task, task_case, set, declared[i]->dtype, expected.oracle[i].numel()),
               *responses[i], raised.tolerance[i], raised.scale[i]);
  return raised;
}

}  // namespace ridgeline::verifier
