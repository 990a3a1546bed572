// What a baseline computes in, for people.
#pragma once

#include <string_view>

#include "engine/core/task.hpp"

namespace ridgeline::judge {

/// "float32": what the task computes in; "integers".
std::string_view compute_dtype_name(const Task& task);

}  // namespace ridgeline::judge
