// Judges outputs that the inputs alone do not fix: a kernel's own choice (Choice in engine/core/task.hpp) by
// the choice's contract, and the other outputs by what the reference computes from inputs and choice.
//
// So a right dropout may draw its mask in any way. The mask's distribution is tested, and y must be x times
// that mask over 1 - p, within the tolerance of an ordinary task.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/compare.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// Decides whether outputs are right, under any contract and choice. `inputs` are those of the call that gave
/// `got`, and `expected` was derived for them; all lie on one device, which is the CPU unless
/// judged_on_device(task). A task with a choice costs what `expect` costs, since other outputs are right for
/// each choice. Few wrong elements cost further runs of the reference (more_draws.hpp). The rest is as for
/// `compare`, which this calls. Outputs on which a script of the task fails are wrong; throws BadInput where
/// it fails on the reference's own outputs too.
Comparison compare_outputs(const Reference& reference, const Task& task, const Case& task_case, InputSet set,
                           const std::vector<at::Tensor>& inputs, const Expected& expected,
                           const std::vector<at::Tensor>& got);

/// Whether calls with other seeds must be compared with each other (compare_random_calls): the outputs or the
/// choice have the contract Statistical.
bool is_random(const Task& task);

/// Compares the random outputs of calls whose seed inputs differ, as compare_calls does: all outputs of a
/// statistical task, or the choice alone. Requires is_random(task).
Comparison compare_random_calls(const Task& task, const Case& task_case, InputSet set,
                                const Expected& expected, const std::vector<std::vector<at::Tensor>>& calls,
                                bool same_inputs = true);

/// Whether each output is part of the task's choice, in the order of outputs_of(task).
std::vector<bool> chosen_outputs(const Task& task);

/// The tensors of the choice among `outputs`, which are in the order of outputs_of(task). A bool's byte other
/// than 0 counts as 1.
std::vector<at::Tensor> choice_among(const Task& task, const std::vector<at::Tensor>& outputs);

/// Puts the tensors of a choice and the other outputs together, in the order of outputs_of(task). `chosen` is
/// chosen_outputs(task).
std::vector<at::Tensor> merge_outputs(const std::vector<bool>& chosen, const std::vector<at::Tensor>& choice,
                                      const std::vector<at::Tensor>& others);

/// The task of the chosen outputs, or of the others: the rest is left out of its parameters. Neither has a
/// choice, and both keep the hash of the whole task. The contract is the task's own.
Task task_of_choice(const Task& task);
Task task_of_others(const Task& task);

/// The reference of task_of_others(task) for one choice. Keeps a reference to `reference`.
class ReferenceForChoice final : public Reference {
 public:
  ReferenceForChoice(const Reference& reference, std::vector<at::Tensor> choice)
      : reference_(reference), choice_(std::move(choice)) {}

  /// Floating tensors of the choice are converted to the dtype of the first floating argument if that is
  /// wider.
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& args, const Case& task_case) const override;
  /// Perturbs the arguments, not the choice, which is exact.
  std::vector<at::Tensor> run_perturbed(const std::vector<at::Tensor>& args, const Case& task_case,
                                        double step, std::uint64_t seed) const override;
  at::Device device() const override { return reference_.device(); }

 private:
  const Reference& reference_;
  std::vector<at::Tensor> choice_;
};

}  // namespace ridgeline::verifier
