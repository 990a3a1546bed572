// What a call must do by its task's definition, for the roofline.
#pragma once

#include "engine/core/roofline.hpp"
#include "engine/core/task.hpp"

namespace ridgeline {

/// Operations, compulsory bytes, and the operands by role, at these sizes.
Work work_of(const Task& task, const Symbols& sizes);

}  // namespace ridgeline
