// Checks a task's declared operation and byte counts against its parameters. No tensors are involved.
#pragma once

#include <optional>
#include <string>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// The bytes that a task must move at least and may move at most: every input once, every output once,
/// in-out tensors twice. Outputs whose size depends on the data count with their capacity in `most`, and not
/// at all in `least`.
struct Traffic {
  double least = 0, most = 0;
};
/// Adds up the traffic of `task` in the shapes that `sizes` gives.
Traffic traffic_of(const Task& task, const Symbols& sizes);

/// Says in which case the declared byte count is implausible; nullopt if it is sound. A count above what the
/// parameters hold would put the physics floor above honest kernels. A count below them is right only where
/// an integer or bool input may select what is read.
std::optional<std::string> fault_in_bytes(const Task& task);
/// Says in which case the operation count is implausible; it must be 0 (pure moves) or at least one an
/// output element.
std::optional<std::string> fault_in_operations(const Task& task);

}  // namespace ridgeline::verifier
