#include "engine/evaluation/compiled_reference.hpp"

#include "engine/core/error.hpp"

namespace ridgeline::evaluation {

EvaluateRequest compiled_reference(std::shared_ptr<const Task> task, CompileMode mode,
                                   protocol::EvaluateSettings settings) {
  if (!task->module)
    throw BadInput("task " + task->name + ": torch.compile is for modules, and its reference is none");
  settings.torch_compile = mode;
  settings.fallback = Fallback::allow;  // the module consists of torch's operators, which settings may forbid
  settings.final_cases = false;
  auto candidate = make_candidate(Language::torch, task->reference);
  return {std::move(task), std::move(candidate), std::move(settings)};
}

}  // namespace ridgeline::evaluation
