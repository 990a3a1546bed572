#include "engine/evaluation/compiled_reference.hpp"

#include "engine/core/error.hpp"

namespace ridgeline::evaluation {

EvaluateRequest compiled_reference(std::shared_ptr<const Task> task, CompileMode mode,
                                   protocol::EvaluateSettings settings) {
  if (!task->module)
    throw BadInput("task " + task->name + ": torch.compile is for modules, and its reference is none");
  settings.torch_compile = mode;
  // The module consists of torch's operators, which settings may forbid.
  settings.fallback = FallbackPolicy::allow;
  // A baseline is measured on the cases that models are scored on, and compiling for more takes minutes.
  settings.final_cases = false;
  // The reference itself stands in as the candidate, so that it is timed by the same code as one.
  auto candidate = make_candidate(Language::torch, task->reference);
  return {std::move(task), std::move(candidate), std::move(settings)};
}

}  // namespace ridgeline::evaluation
