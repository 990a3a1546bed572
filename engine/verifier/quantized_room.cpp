#include "engine/verifier/quantized_room.hpp"

#include <ATen/ops/full_like.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/fit.hpp"
#include "engine/verifier/perturb.hpp"
#include "engine/verifier/responses.hpp"
#include "engine/verifier/tolerance_on_device.hpp"

namespace ridgeline::verifier {
namespace {

using Tensors = std::vector<at::Tensor>;

// The relative perturbation under which a quantized value near a rounding tie crosses it.
constexpr double tie_step = 0x1p-20;

/// |a - b|, 0 where that is not finite.
at::Tensor finite_distances(const at::Tensor& a, const at::Tensor& b) {
  const auto apart = a.sub(b).abs();
  return at::where(apart.isfinite(), apart, 0.0);
}

double largest_value(const at::Tensor& values) {
  return values.numel() == 0 ? 0 : values.max().item<double>();
}

Tensors run_unquantized(const Reference& reference, const Case& task_case, const Tensors& wide) {
  Tensors outputs;
  for (const auto& plain : reference.run_unquantized(wide, task_case))
    outputs.push_back(plain.to(at::kDouble).contiguous());
  return outputs;
}

/// Widens tolerances to those that the unquantized outputs would have.
void add_unquantized_conditions(Expected& expected, const Reference& reference, const Task& task,
                                const Case& task_case, InputSet set, const Tensors& wide) {
  const auto declared = outputs_of(task);
  std::vector<Responses> responses;
  for (const auto& plain : expected.unquantized) responses.emplace_back(plain);
  for (std::size_t number = 0; number < perturbations; ++number) {
    const auto moved =
        run_unquantized(reference, task_case, perturbed(wide, perturbation_step(number), sign_seed + number));
    for (std::size_t i = 0; i < declared.size(); ++i) responses[i].add(moved[i], number);
  }
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (!is_floating_or_complex(declared[i]->dtype)) continue;  // exact but for ties
    auto& tolerance = expected.tolerance[i];
    const auto& plain = expected.unquantized[i];
    const auto derived = derive_tolerance(
        precision_for(task, task_case, set, declared[i]->dtype, plain.numel()), plain, plain, responses[i]);
    tolerance = at::maximum(tolerance, derived.tolerance.to(tolerance.scalar_type()));
  }
}

/// Widens tolerances by what a crossed tie moves, and derives how far one tie may move an element.
void add_ties(Expected& expected, const Reference& reference, const Task& task, const Case& task_case,
              const Tensors& wide) {
  const auto declared = outputs_of(task);
  // Ties are crossed upwards and downwards: the largest move of either side counts.
  Tensors moved[2];
  for (const int side : {0, 1})
    moved[side] = fit_outputs(
        task, task_case,
        reference.run(perturbed(wide, side == 0 ? tie_step : -tie_step, sign_seed + perturbations),
                      task_case),
        true);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const bool real = is_floating_or_complex(declared[i]->dtype);
    const auto oracle = expected.oracle[i].to(at::kDouble);
    if (!real) expected.tolerance[i] = at::full_like(oracle, 0.5);
    double widest = 0;
    for (const auto& side : moved) {
      const auto jumps = finite_distances(side[i].to(at::kDouble), oracle).mul(1.5);
      expected.tolerance[i] = at::maximum(expected.tolerance[i], jumps);
      widest = std::max(widest, largest_value(jumps));
    }
    // A quantized sum of n terms carries noise that grows with sqrt(n), so one step is the noise over that
    // root.
    const double noise = largest_value(finite_distances(oracle, expected.unquantized[i]));
    const double step = real ? 2 * noise / std::sqrt(reduction_of(task, task_case.sizes)) : 1;
    expected.tie_room.push_back(std::max(widest, step));
  }
}

}  // namespace

void add_quantized_room(Expected& expected, const Reference& reference, const Task& task,
                        const Case& task_case, InputSet set, const Tensors& wide) {
  expected.unquantized = run_unquantized(reference, task_case, wide);
  const auto declared = outputs_of(task);
  for (std::size_t i = 0; i < declared.size(); ++i)
    if (expected.unquantized[i].sizes() != expected.oracle[i].sizes())
      throw BadInput("task '" + task.name +
                     "': the unquantized computation returns another shape for the output '" +
                     declared[i]->name + "' than the reference");
  add_unquantized_conditions(expected, reference, task, task_case, set, wide);
  add_ties(expected, reference, task, task_case, wide);
}

}  // namespace ridgeline::verifier
