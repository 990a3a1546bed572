// Why a trajectory has not finished, in few words.
#pragma once

#include <string>

#include "engine/store/records.hpp"

namespace ridgeline::store {

/// What its detail says in one line, with "failed: " before it if it failed; its state where there is none.
/// "" of one that finished or has not begun.
std::string why_incomplete(const TrajectoryRecord& trajectory);

}  // namespace ridgeline::store
