// Reads from a request what the schedule needs to know of it.
#pragma once

#include "engine/worker/judge/schedule/judge_schedule.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

RequestFacts facts_of(const PreparedTask& prepared, const Candidate& candidate,
                      const protocol::EvaluateSettings& settings);

}  // namespace ridgeline::judge
