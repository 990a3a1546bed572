// Judges a task's own module under torch.compile, as a candidate is judged, so that its time stands beside
// eager PyTorch's, from the same copies and the same cache flushes. The modes are KernelBench's.
#pragma once

#include "engine/core/compile_mode.hpp"
#include "engine/evaluation/evaluator.hpp"

namespace ridgeline::evaluation {

/// Makes the request for `task`'s module in `mode`, otherwise judged with `settings`. Throws BadInput for a
/// task without a module.
EvaluateRequest compiled_reference(std::shared_ptr<const Task> task, CompileMode mode,
                                   protocol::EvaluateSettings settings);

}  // namespace ridgeline::evaluation
