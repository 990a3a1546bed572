// The second baseline: a task's own module under torch.compile, judged as a candidate is, so that its time
// stands beside eager PyTorch's, copied and flushed alike. KernelBench has the same modes.
#pragma once

#include "engine/core/compile_mode.hpp"
#include "engine/evaluation/evaluator.hpp"

namespace ridgeline::evaluation {

/// Asks for it with what else `settings` say. Throws BadInput for a task that has no module.
EvaluateRequest compiled_reference(std::shared_ptr<const Task> task, CompileMode mode,
                                   protocol::EvaluateSettings settings);

}  // namespace ridgeline::evaluation
