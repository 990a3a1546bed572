// Counts the work of a call from its task's definition, for the roofline.
#pragma once

#include "engine/core/roofline.hpp"
#include "engine/core/task.hpp"

namespace ridgeline {

/// Evaluates operations, compulsory bytes, and the bytes of operands by role at these sizes. Throws BadInput
/// like Expression::evaluate.
Work work_of(const Task& task, const Symbols& sizes);

}  // namespace ridgeline
