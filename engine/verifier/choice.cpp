#include "engine/verifier/choice.hpp"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/core/error.hpp"
#include "engine/core/out_of_memory.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/more_draws.hpp"
#include "engine/verifier/on_device.hpp"
#include "engine/verifier/perturb.hpp"

namespace ridgeline::verifier {
namespace {

using Tensors = std::vector<at::Tensor>;

/// The entries of `all` for outputs that are chosen, or that are not; an empty vector stays empty.
Tensors part_of(const Task& task, const Tensors& all, bool chosen) {
  Tensors part;
  const auto is_chosen = chosen_outputs(task);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (is_chosen[i] == chosen) part.push_back(all[i]);
  return part;
}

/// The task of the outputs that are chosen, or of the others.
Task with_outputs(const Task& task, bool chosen) {
  Task part = task;
  const auto& names = task.choice->outputs;
  std::erase_if(part.parameters, [&](const Parameter& parameter) {
    const auto* tensor = std::get_if<Tensor>(&parameter);
    if (tensor == nullptr || tensor->role == Role::in) return false;
    return (std::ranges::find(names, tensor->name) != names.end()) != chosen;
  });
  part.choice.reset();
  return part;
}

/// The task of a random choice alone.
Task random_choice(const Task& task) {
  Task choice = task_of_choice(task);
  choice.contract = std::get<Statistical>(task.choice->contract);
  return choice;
}

/// What is expected of a choice, on the CPU.
Expected expected_choice(const Task& task, const Expected& expected) {
  Expected choice;
  choice.oracle = part_of(task, expected.oracle, true);
  choice.own = part_of(task, expected.own, true);
  choice.draws = part_of(task, expected.draws, true);
  return to_cpu(choice);
}

Comparison wrong(std::string detail) {
  Comparison comparison;
  comparison.ok = false;
  comparison.reason = Reason::wrong_values;
  comparison.detail = std::move(detail);
  return comparison;
}

/// Returns what is wrong with the form of the first output whose shape or dtype is not the declared one.
std::optional<Comparison> wrong_form(const Task& task, const Case& task_case, const Tensors& got) {
  const auto declared = outputs_of(task);
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const auto shape = shape_of(*declared[i], task_case.sizes);
    if (i >= got.size() || got[i].scalar_type() != scalar_type(declared[i]->dtype) ||
        got[i].sizes() != c10::IntArrayRef(shape))
      return wrong(fmt::format("output '{}' has not the declared shape and dtype", declared[i]->name));
    if (got[i].scalar_type() == at::kBool && got[i].view(at::kByte).gt(1).any().item<bool>())
      return wrong(
          fmt::format("the bool output '{}' holds a byte that is neither 0 nor 1", declared[i]->name));
  }
  return std::nullopt;
}

/// A candidate may have left any byte in a bool; torch expects 0 or 1.
at::Tensor with_clean_bools(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kBool ? tensor.view(at::kByte).ne(0) : tensor;
}

/// Runs the check. Outputs on which it fails are the candidate's fault if it runs on the reference's own: a
/// decomposition inside a check refuses NaN. Empty in that case.
std::optional<Tensors> errors_of(const Reference& reference, const Case& task_case, const Tensors& inputs,
                                 const Expected& expected, const Tensors& got) {
  Tensors clean;
  // Copies, since a script may change what it is given, and float64 is handed through as it is.
  for (const auto& tensor : got) clean.push_back(with_clean_bools(tensor).clone());
  try {
    return reference.check(inputs, clean, task_case);
  } catch (const BadInput&) {
    reference.check(inputs, expected.own, task_case);
    return std::nullopt;
  }
}

/// Judges by a check; the first error beyond what is allowed makes the outputs wrong.
Comparison checked(const Reference& reference, const Task& task, const ByCheck& contract,
                   const Case& task_case, InputSet set, const Tensors& inputs, const Expected& expected,
                   const Tensors& got) {
  if (auto form = wrong_form(task, task_case, got)) return *form;
  const auto place = fmt::format(
      "case '{}', {} inputs: ", task_case.hidden ? "an unseen case" : task_case.name, to_string(set));
  const auto run = errors_of(reference, task_case, inputs, expected, got);
  if (!run) return wrong(place + "the task's check cannot be computed from these outputs");
  const auto& errors = *run;
  if (errors.size() != contract.names.size())
    throw BadInput(fmt::format("task '{}': its check returns {} tensor(s), and 'names' has {}", task.name,
                               errors.size(), contract.names.size()));
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (errors[i].scalar_type() == at::kBool || errors[i].is_complex())  // no bool exceeds 1
      throw BadInput(
          fmt::format("task '{}': its check returns '{}' as bool or complex", task.name, contract.names[i]));
    if (errors[i].numel() == 0)  // errors of a selection that is empty would pass whatever the outputs are
      return wrong(fmt::format("{}'{}' has no element", place, contract.names[i]));
    const auto values = errors[i].cpu().to(at::kDouble).contiguous();
    const auto* begin = static_cast<const double*>(values.const_data_ptr());
    const auto* worst = begin;
    for (const auto* value = begin; value != begin + values.numel(); ++value)
      if (std::isnan(*value) || *value > *worst) {
        worst = value;
        if (std::isnan(*value)) break;
      }
    if (*worst <= 1) continue;
    const auto where = values.numel() == 1 ? std::string() : fmt::format(" at [{}]", worst - begin);
    return wrong(
        fmt::format("{}'{}' is {:.3g} times what is allowed{}", place, contract.names[i], *worst, where));
  }
  return {};
}

}  // namespace

std::vector<bool> chosen_outputs(const Task& task) {
  std::vector<bool> chosen;
  for (const auto* output : outputs_of(task))
    chosen.push_back(task.choice &&
                     std::ranges::find(task.choice->outputs, output->name) != task.choice->outputs.end());
  return chosen;
}

std::vector<at::Tensor> choice_among(const Task& task, const Tensors& outputs) {
  auto choice = part_of(task, outputs, true);
  for (auto& tensor : choice) tensor = with_clean_bools(tensor);
  return choice;
}

std::vector<at::Tensor> merge_outputs(const std::vector<bool>& chosen, const Tensors& choice,
                                      const Tensors& others) {
  Tensors all;
  std::size_t next_chosen = 0, next_other = 0;
  for (const bool is_chosen : chosen)
    all.push_back(is_chosen ? choice.at(next_chosen++) : others.at(next_other++));
  return all;
}

Task task_of_choice(const Task& task) {
  return with_outputs(task, true);
}

Task task_of_others(const Task& task) {
  return with_outputs(task, false);
}

std::vector<at::Tensor> ReferenceForChoice::run(const Tensors& args, const Case& task_case) const {
  const auto floating = std::ranges::find_if(args, &at::Tensor::is_floating_point);
  auto choice = choice_;
  for (auto& tensor : choice)
    if (floating != args.end() && tensor.is_floating_point() &&
        floating->element_size() > tensor.element_size())
      tensor = tensor.to(floating->scalar_type());
  return reference_.run_with_choice(args, choice, task_case);
}

std::vector<at::Tensor> ReferenceForChoice::run_perturbed(const Tensors& args, const Case& task_case,
                                                          double step, std::uint64_t seed) const {
  const auto wide = widen(args);
  return reference_.run_with_choice(step == 0 ? wide : perturbed(wide, step, seed), widen(choice_),
                                    task_case);
}

namespace {

/// Compares, and decides about few wrong elements after more draws.
Comparison compare_and_draw_more(const Reference& reference, const Task& task, const Case& task_case,
                                 InputSet set, const Tensors& inputs, const Expected& expected,
                                 const Tensors& got) {
  auto compared = compare(task, task_case, set, expected, got);
  if (!may_pass_by_more_draws(task, compared)) return compared;
  // The first comparison stands if the reference fails on a further draw, or finds no memory.
  try {
    const auto raised = with_more_draws(reference, task, task_case, set, inputs, expected);
    return compare(task, task_case, set, raised, got);
  } catch (const BadInput&) {
    return compared;
  } catch (const OutOfMemory&) {
    return compared;
  } catch (const c10::OutOfMemoryError&) {
    return compared;
  }
}

}  // namespace

bool is_random(const Task& task) {
  return std::holds_alternative<Statistical>(task.contract) ||
         (task.choice && std::holds_alternative<Statistical>(task.choice->contract));
}

Comparison compare_outputs(const Reference& reference, const Task& task, const Case& task_case, InputSet set,
                           const Tensors& inputs, const Expected& expected, const Tensors& got) {
  if (const auto* contract = std::get_if<ByCheck>(&task.contract))
    return checked(reference, task, *contract, task_case, set, inputs, expected, got);
  if (!task.choice) return compare_and_draw_more(reference, task, task_case, set, inputs, expected, got);
  if (auto form = wrong_form(task, task_case, got)) return *form;
  const auto choice = choice_among(task, got);
  const auto* contract = std::get_if<ByCheck>(&task.choice->contract);
  auto judged =
      contract != nullptr
          ? checked(reference, task, *contract, task_case, set, inputs, expected, got)
          : compare(random_choice(task), task_case, set, expected_choice(task, expected), to_cpu(choice));
  if (!judged.ok) return judged;
  const auto others = task_of_others(task);
  const ReferenceForChoice of_choice(reference, choice);
  std::optional<Expected> of_others;
  try {
    of_others = expect(of_choice, others, task_case, set, inputs);
  } catch (const BadInput&) {
    // `expected` was derived in the same way for the reference's own choice, so this one is at fault.
    return wrong(fmt::format("case '{}', {} inputs: the other outputs cannot be computed from this choice",
                             task_case.hidden ? "an unseen case" : task_case.name, to_string(set)));
  }
  return compare_and_draw_more(of_choice, others, task_case, set, inputs, *of_others,
                               part_of(task, got, false));
}

Comparison compare_random_calls(const Task& task, const Case& task_case, InputSet set,
                                const Expected& expected, const std::vector<Tensors>& calls,
                                bool same_inputs) {
  if (!task.choice) return compare_calls(task, task_case, set, expected, calls, same_inputs);
  std::vector<Tensors> choices;
  for (const auto& outputs : calls) choices.push_back(to_cpu(choice_among(task, outputs)));
  return compare_calls(random_choice(task), task_case, set, expected_choice(task, expected), choices,
                       same_inputs);
}

}  // namespace ridgeline::verifier
