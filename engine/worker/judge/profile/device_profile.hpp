// The profile stage on a GPU: counters of a fresh runner where they can be had and can be true, analytic
// counts elsewhere. No counter changes a verdict.
#pragma once

#include <filesystem>

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/profile/counters_ahead.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"
#include "engine/worker/judge/tasks/backend.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// What is counted where the longest call takes so many seconds, and `wanted` would be of short ones.
profiler::MetricSet counted_set(profiler::MetricSet wanted, double longest_call);

struct DeviceProfiling {
  RunnerPool& runners;  ///< nothing of it starts or ends any more when the counted calls begin
  CountersAhead& ahead;
  const DeviceCounting& counting;
  const std::filesystem::path& artefact;  ///< the candidate's
  double call_limit;                      ///< seconds
  RunnerKind kind;                        ///< of runners that count candidates like this one
  profiler::MetricSet set;                ///< what is counted of it
};

/// Fills `verdict`'s profile stage, rooflines and launches from its timing. One thread.
void profile_on_device(PreparedTask& prepared, const DeviceProfiling& with, const Ceilings& ceilings,
                       Verdict& verdict);

}  // namespace ridgeline::judge
