#include "engine/verifier/expected.hpp"

#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

#include "engine/core/error.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/choice.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/fit.hpp"
#include "engine/verifier/meaningful.hpp"
#include "engine/verifier/on_device.hpp"
#include "engine/verifier/perturb.hpp"
#include "engine/verifier/quantized_room.hpp"
#include "engine/verifier/signs.hpp"
#include "engine/verifier/tolerance.hpp"
#include "engine/verifier/tolerance_on_device.hpp"

namespace ridgeline::verifier {
namespace {

using Tensors = std::vector<at::Tensor>;

// Elements that a CPU works off at once by operators; each intermediate of them takes 32 MiB.
constexpr std::int64_t cpu_piece_elements = std::int64_t{1} << 22;
// The largest tolerance over the typical one that expect_alike accepts for all elements. Beyond it, lower
// precision could hide in the room of a few elements.
constexpr double most_uneven = 8;

std::span<const double> numbers(const at::Tensor& wide) {
  return {static_cast<const double*>(wide.const_data_ptr()),
          static_cast<std::size_t>(wide.numel() * (wide.is_complex() ? 2 : 1))};
}

std::span<double> writable(const at::Tensor& wide) {
  return {static_cast<double*>(wide.data_ptr()), static_cast<std::size_t>(wide.numel())};
}

at::Tensor new_doubles(c10::IntArrayRef shape) {
  return at::empty(shape, at::TensorOptions().dtype(at::kDouble));
}

/// Runs the reference in the task's dtype. Torch lacks some 16-bit kernels on a CPU; there it runs in
/// float32 and the result is rounded.
Tensors run_own(const Reference& reference, const Task& task, const Case& task_case, const Tensors& inputs) {
  try {
    return fit_outputs(task, task_case, reference.run(inputs, task_case), false);
  } catch (const BadInput&) {
    Tensors single;
    for (const auto& input : inputs)
      single.push_back(input.is_floating_point() ? input.to(at::kFloat) : input);
    return fit_outputs(task, task_case, reference.run(single, task_case), false);
  }
}

/// Returns `other`, or the oracle where their shapes differ: a run that counted other rows says nothing
/// about errors.
at::Tensor same_shape(const at::Tensor& other, const at::Tensor& oracle) {
  return other.sizes() == oracle.sizes() ? other : oracle;
}

struct OutputSize {
  std::int64_t elements, row;  // row: the length of the last axis
  int parts;
};

/// Derives a seed from the inputs: as secret as they are, and the same for the same instance.
std::uint64_t seed_of(const Tensors& inputs) {
  std::uint64_t seed = 0;
  for (const auto& input : inputs)
    seed = seed * 31 +
           std::hash<std::string_view>{}({static_cast<const char*>(input.const_data_ptr()), input.nbytes()});
  return seed;
}

OutputSize sizes_of(const at::Tensor& t) {
  const auto row = t.dim() == 0 ? 1 : t.size(-1);
  return {t.numel(), row == 0 ? 1 : row, t.is_complex() ? 2 : 1};
}

ReferenceRuns runs_of(const at::Tensor& oracle, const at::Tensor& own, const Tensors& draws) {
  const auto [elements, row, parts] = sizes_of(oracle);
  ReferenceRuns runs{elements,         row, parts, numbers(oracle), numbers(own), numbers(draws[0]),
                     numbers(draws[1])};
  for (std::size_t i = 2; i < draws.size(); ++i) runs.more.push_back(numbers(draws[i]));
  return runs;
}

/// Runs the reference in float64 on inputs perturbed for the `number`-th time; the second has its own step.
Tensors perturbed_run(const Reference& reference, const Task& task, const Case& task_case,
                      const Tensors& inputs, std::size_t number) {
  return fit_outputs(
      task, task_case,
      reference.run_perturbed(inputs, task_case, perturbation_step(number), sign_seed + number), true);
}

/// Derives tolerances and scales element by element on the CPU, with all runs in memory at once.
void add_tolerances(Expected& expected, const Reference& reference, const Task& task, const Case& task_case,
                    InputSet set, const Tensors& inputs) {
  const auto declared = outputs_of(task);
  auto own = widen(expected.own);
  std::vector<Tensors> draws;
  for (std::size_t i = 0; i < perturbations; ++i)
    draws.push_back(perturbed_run(reference, task, task_case, inputs, i));
  if (std::holds_alternative<UpToSign>(task.contract)) {
    own = align_signs(task, own, expected.oracle);
    for (auto& draw : draws) draw = align_signs(task, draw, expected.oracle);
  }
  const bool quantized = std::holds_alternative<Quantized>(task.contract);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (!is_floating_or_complex(declared[i]->dtype)) continue;
    const auto& oracle = expected.oracle[i];
    Tensors moved;
    for (const auto& draw : draws) moved.push_back(same_shape(draw[i], oracle));
    // A quantized task's own run crosses ties that the oracle does not; quantized_room.hpp handles ties
    // instead.
    const auto errors = same_shape(quantized ? oracle : own[i], oracle);
    expected.tolerance[i] = new_doubles(oracle.sizes());
    expected.scale[i] = new_doubles(oracle.sizes());
    derive_tolerance(precision_for(task, task_case, set, declared[i]->dtype, oracle.numel()),
                     runs_of(oracle, errors, moved), writable(expected.tolerance[i]),
                     writable(expected.scale[i]));
  }
}

/// Fills in what the reference gives in the task's dtype, unless it is there.
void add_own(Expected& expected, const Reference& reference, const Task& task, const Case& task_case,
             const Tensors& inputs) {
  if (!expected.own.empty()) return;
  expected.own = run_own(reference, task, task_case, inputs);
  for (std::size_t i = 0; i < expected.own.size(); ++i)
    expected.own[i] = expected.own[i].sizes() == expected.oracle[i].sizes()
                          ? expected.own[i]
                          : expected.oracle[i].to(expected.own[i].scalar_type());
}

/// Fills in `oracle` and `own` from runs cut into slices. Returns false, and fills in nothing, where runs
/// cannot be cut or where that would change the result.
bool add_runs_cut(Expected& expected, const Reference& reference, const Task& task, const Case& task_case,
                  InputSet set, const Tensors& inputs, std::int64_t slice) try {
  const auto plan = plan_slices(task, task_case, slice);
  if (!plan.cuts() || !reference.runs_rows()) return false;
  auto own = run_own(reference, task, task_case, inputs);
  if (!rows_are_independent(reference, task, task_case, set, inputs, plan, own)) return false;
  if (!slices_agree(reference, task, task_case, inputs, plan, own)) return false;
  Tensors oracle;
  for (const auto& each : own) oracle.push_back(at::empty(each.sizes(), each.options().dtype(at::kDouble)));
  run_in_slices(reference, task, task_case, inputs, plan, 0, 0, [&](std::int64_t begin, const Tensors& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) oracle[i].narrow(0, begin, rows[i].size(0)).copy_(rows[i]);
  });
  expected.oracle = std::move(oracle);
  expected.own = std::move(own);
  expected.slice_plan = plan;
  return true;
} catch (const BadInput&) {  // of fewer rows than it is written for
  return false;
}

/// Adds one perturbed run to the responses of all outputs.
void add_responses(std::vector<Responses>& responses, const Expected& expected, const Reference& reference,
                   const Task& task, const Case& task_case, const Tensors& inputs, std::size_t number) {
  const auto declared = outputs_of(task);
  if (expected.slice_plan.cuts()) {  // all outputs are floating
    run_in_slices(reference, task, task_case, inputs, expected.slice_plan, perturbation_step(number),
                  sign_seed + number, [&](std::int64_t begin, const Tensors& rows) {
                    for (std::size_t i = 0; i < rows.size(); ++i)
                      responses[i].add(rows[i], number, begin * (rows[i].numel() / rows[i].size(0)));
                  });
    return;
  }
  auto draw = perturbed_run(reference, task, task_case, inputs, number);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (is_floating_or_complex(declared[i]->dtype))
      responses[i].add(same_shape(draw[i], expected.oracle[i]), number);
    draw[i].reset();
  }
}

/// Derives the same by torch's operators, wherever the tensors lie. Each run is folded in as it comes, since
/// six large outputs side by side would need too much memory; so would the run in the task's dtype, which
/// comes last where it is not there already. On the CPU tolerances stay in float64, which its loops compare
/// in.
void add_tolerances_folded(Expected& expected, const Reference& reference, const Task& task,
                           const Case& task_case, InputSet set, const Tensors& inputs) {
  const auto declared = outputs_of(task);
  const bool on_cpu = expected.oracle.front().is_cpu();
  std::vector<Responses> responses;
  for (const auto& oracle : expected.oracle)
    responses.push_back(on_cpu ? Responses(oracle, std::numeric_limits<std::int64_t>::max())
                               : Responses(oracle));
  for (std::size_t number = 0; number < perturbations; ++number)
    add_responses(responses, expected, reference, task, task_case, inputs, number);
  add_own(expected, reference, task, task_case, inputs);
  const bool quantized = std::holds_alternative<Quantized>(task.contract);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (!is_floating_or_complex(declared[i]->dtype)) continue;
    const auto& oracle = expected.oracle[i];
    responses[i].may_be_written_over();
    auto derived = derive_tolerance(precision_for(task, task_case, set, declared[i]->dtype, oracle.numel()),
                                    oracle, quantized ? oracle : expected.own[i], responses[i],
                                    on_cpu ? cpu_piece_elements : kPieceElements);
    expected.tolerance[i] = std::move(derived.tolerance);
    expected.scale[i] = std::move(derived.scale);
    responses[i] = Responses(at::Tensor());  // before the next output's tolerances want room
  }
}

/// Calls `draw` draw_count times; stacks what it returned on the CPU, output by output.
template <class Draw>
Tensors stacked_draws(Draw&& draw) {
  std::vector<Tensors> of_outputs;
  for (int i = 0; i < draw_count; ++i) {
    const Tensors drawn = draw();
    of_outputs.resize(drawn.size());
    for (std::size_t output = 0; output < drawn.size(); ++output)
      of_outputs[output].push_back(
          (drawn[output].scalar_type() == at::kBool ? drawn[output] : drawn[output].to(at::kDouble)).cpu());
  }
  Tensors stacked;
  for (const auto& of_output : of_outputs) stacked.push_back(at::stack(of_output));
  return stacked;
}

/// Derives what is right for one honest choice, and how the choice is distributed. The oracle and `own` hold
/// that choice too, without a tolerance.
Expected expect_with_choice(const Reference& reference, const Task& task, const Case& task_case, InputSet set,
                            const Tensors& inputs) {
  const auto others = task_of_others(task);
  const auto chosen = chosen_outputs(task);
  at::manual_seed(seed_of(to_cpu(inputs)));
  const auto wide = widen(inputs);  // not every operator is there for 16 bits on a CPU
  const auto choice = fit_outputs(task_of_choice(task), task_case, reference.choose(wide, task_case), false);
  const auto of_others = expect(ReferenceForChoice(reference, choice), others, task_case, set, inputs);
  Expected expected;
  // A tensor of the choice stands in each list beside those of the other outputs; lists that are empty stay
  // so.
  expected.oracle =
      fit_outputs(task, task_case, merge_outputs(chosen, widen(choice), of_others.oracle), true);
  expected.own = fit_outputs(task, task_case, merge_outputs(chosen, choice, of_others.own), false);
  const Tensors none(choice.size());
  if (!of_others.tolerance.empty()) {
    expected.tolerance = merge_outputs(chosen, none, of_others.tolerance);
    expected.scale = merge_outputs(chosen, none, of_others.scale);
  }
  if (!is_random(task)) return expected;
  const auto draws = stacked_draws([&] { return reference.choose(wide, task_case); });
  expected.draws = merge_outputs(chosen, draws, Tensors(of_others.own.size()));
  return expected;
}

/// The median of a sample of elements over all rows and columns. The step is odd, since an even one would
/// return to the same columns where sizes are powers of two.
double typical(const at::Tensor& tolerance) {
  const auto flat = tolerance.reshape(-1);
  const auto step = (flat.numel() / 4096) | 1;
  return flat.slice(0, 0, flat.numel(), step).median().item<double>();
}

/// Returns one tolerance for every element of inputs drawn alike; empty if the tolerances are too uneven.
std::optional<double> common_tolerance(const at::Tensor& tolerance) {
  if (tolerance.numel() == 0) return std::nullopt;
  const double widest = tolerance.max().item<double>();
  if (!std::isfinite(widest) || widest > most_uneven * typical(tolerance)) return std::nullopt;
  return widest;
}

}  // namespace

Expected expect_own(const Reference& reference, const Task& task, const Case& task_case,
                    const Tensors& inputs) {
  Expected expected;
  expected.own = run_own(reference, task, task_case, inputs);
  return expected;
}

std::optional<Expected> expect_alike(const Reference& reference, const Task& task, const Case& task_case,
                                     const Tensors& inputs, const Expected& known) {
  if (!std::holds_alternative<Elementwise>(task.contract) || task.choice) return std::nullopt;
  std::vector<double> widest;
  for (const auto& tolerance : known.tolerance) {
    const auto common =
        tolerance.defined() ? common_tolerance(tolerance) : std::optional(0.0);  // integers: exact
    if (!common) return std::nullopt;
    widest.push_back(*common);
  }
  Expected expected;
  expected.oracle = fit_outputs(task, task_case, reference.run_in_float64(inputs, task_case), true);
  for (std::size_t i = 0; i < expected.oracle.size(); ++i) {
    const auto& oracle = expected.oracle[i];
    expected.own.push_back(oracle.to(known.own[i].scalar_type()));
    expected.tolerance.emplace_back();
    expected.scale.emplace_back();
    if (!known.tolerance[i].defined()) continue;
    const auto options = oracle.options().dtype(known.tolerance[i].scalar_type());
    expected.tolerance[i] = at::full(oracle.sizes(), widest[i], options);
    expected.scale[i] = at::full(oracle.sizes(), known.scale[i].max().item<double>(), options);
  }
  return expected;
}

Expected expect(const Reference& reference, const Task& task, const Case& task_case, InputSet set,
                const Tensors& inputs, std::int64_t many, std::int64_t slice) {
  if (task.choice) return expect_with_choice(reference, task, task_case, set, inputs);
  Expected expected;
  const bool cut = slice > 0 && add_runs_cut(expected, reference, task, task_case, set, inputs, slice);
  if (!cut) expected.oracle = fit_outputs(task, task_case, reference.run_in_float64(inputs, task_case), true);
  // The suite judges what a module computes (engine/suites/kernelbench), so its values may be anything.
  if (set == InputSet::standard && !task.module) require_finite_values(task, task_case, expected.oracle);
  if (std::holds_alternative<Statistical>(task.contract)) {
    add_own(expected, reference, task, task_case, inputs);
    const auto wide = widen(inputs);
    at::manual_seed(seed_of(inputs));  // on the CPU; the same instance gets the same draws and verdict
    expected.draws =
        stacked_draws([&] { return fit_outputs(task, task_case, reference.run(wide, task_case), true); });
    return expected;
  }
  if (std::holds_alternative<Exact>(task.contract) || std::holds_alternative<ByCheck>(task.contract)) {
    add_own(expected, reference, task, task_case, inputs);
    return expected;
  }
  expected.tolerance.resize(expected.oracle.size());
  expected.scale.resize(expected.oracle.size());
  const auto by_operators = [&](const at::Tensor& oracle) {
    // Operators work off whole rows, so a very long row would take more memory than all runs side by side.
    return !oracle.is_cpu() || (oracle.numel() >= many && sizes_of(oracle).row <= cpu_piece_elements);
  };
  const bool folded = judged_on_device(task) && (cut || std::ranges::any_of(expected.oracle, by_operators));
  if (!folded) add_own(expected, reference, task, task_case, inputs);
  (folded ? add_tolerances_folded : add_tolerances)(expected, reference, task, task_case, set, inputs);
  if (std::holds_alternative<Quantized>(task.contract))
    add_quantized_room(expected, reference, task, task_case, set, widen(inputs));
  return expected;
}

}  // namespace ridgeline::verifier
