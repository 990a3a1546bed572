// Which model a trajectory asks, for people and for data: the campaign's own name of an entry ("generator")
// says nothing outside of it.
#pragma once

#include <string>

#include "engine/store/records.hpp"

namespace ridgeline::store {

/// Returns the generator's id as the provider names it, or the model that a recording names; the entry's name
/// where neither is known (a mailbox, a record of an early ridgeline 0.1).
std::string model_name(const TrajectoryRecord& trajectory);

/// Returns the id of the model that was asked for; else the model that the provider says it ran; else the
/// entry's name.
std::string model_name(const AskRecord& ask);

}  // namespace ridgeline::store
