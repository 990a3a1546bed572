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

/// Says in which case the declared byte count is implausible; nullopt if it is sound. A count above
/// Traffic::most is a fault: it would put the physics floor above the times of honest kernels. A count below
/// Traffic::least is a fault unless the task has an integer or bool input, which may select what is read.
/// Both bounds have room of 1 % and 64 bytes. A count of 0 or less is a fault always.
std::optional<std::string> fault_in_bytes(const Task& task);
/// Says in which case the operation count is implausible; nullopt if it is sound. It must be 0 (the task only
/// moves data) or at least the number of elements of the largest output. Outputs whose size depends on the
/// data do not count.
std::optional<std::string> fault_in_operations(const Task& task);

}  // namespace ridgeline::verifier
