// Why a trajectory has not finished, in few words.
#pragma once

#include <string>

#include "engine/store/records.hpp"

namespace ridgeline::store {

/// Returns the first line of the trajectory's detail, cut to 80 bytes; if the trajectory failed, "failed: "
/// comes before these. Returns the name of its state if it is running (whatever its detail) or has no detail,
/// and "" if it is finished or pending.
std::string why_incomplete(const TrajectoryRecord& trajectory);

}  // namespace ridgeline::store
