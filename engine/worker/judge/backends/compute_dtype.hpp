// Names the dtype that a baseline computes in, for people.
#pragma once

#include <string_view>

#include "engine/core/task.hpp"

namespace ridgeline::judge {

/// Returns the name of the first floating or complex dtype among the task's tensors, "float32" say, or
/// "integers" if there is none. The text lives as long as the program.
std::string_view compute_dtype_name(const Task& task);

}  // namespace ridgeline::judge
