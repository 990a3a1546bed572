// Extracts the RequestFacts that JudgeSchedule decides by. JudgeSchedule decides when runners start and end;
// a runner is the confined process that runs a candidate.
#pragma once

#include "engine/worker/judge/schedule/judge_schedule.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

/// Collects the facts of one request to judge a candidate: the kind of runner that the candidate needs,
/// whether its task is a torch module, needs streaming or has a reference runner already (`prepared`), and
/// whether the candidate is timed and compared with torch.compile (`settings`).
RequestFacts facts_of(const PreparedTask& prepared, const Candidate& candidate,
                      const protocol::EvaluateSettings& settings);

/// Returns what a request wants counted of its candidate if calls are short (profiler::metrics_for), or all
/// that is known where the settings say so.
profiler::MetricSet wanted_set(const Task& task, const Candidate& candidate,
                               const protocol::EvaluateSettings& settings);

}  // namespace ridgeline::judge
