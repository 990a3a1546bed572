// A task's analytic operation and byte counts against what its parameters say. No tensors.
#pragma once

#include <optional>
#include <string>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// Bytes of every input once and every output once (in-out twice); outputs whose size depends on the data
/// count in `most` with their capacity and in `least` not at all.
struct Traffic {
  double least = 0, most = 0;
};
Traffic traffic_of(const Task& task, const Symbols& sizes);

/// Why the count is not sane in some case; nullopt if it is. Bytes above what the parameters hold would put
/// the physics floor over honest kernels. Bytes below are right only where an integer or bool input may
/// select what is read.
std::optional<std::string> fault_in_bytes(const Task& task);
/// Operations are 0 (pure moves) or at least one an output element.
std::optional<std::string> fault_in_operations(const Task& task);

}  // namespace ridgeline::verifier
