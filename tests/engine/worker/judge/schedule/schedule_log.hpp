// Actions of the judge's schedule as short text, so that a test reads like a log.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/judge/schedule/judge_schedule.hpp"

namespace ridgeline::judge {

/// "start library 2, open 1", "probe device", …: takes all actions.
std::vector<std::string> log_of(JudgeSchedule& schedule);

}  // namespace ridgeline::judge
