// The profile stage on a GPU: counters that a fresh runner reads, if they are available and credible; else
// analytic counts. No counter changes a verdict. One thread.
#pragma once

#include <filesystem>

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/profile/counters_ahead.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/tasks/telemetry.hpp"

namespace ridgeline::judge {

/// Returns the metrics to count if the longest call takes `longest_call` seconds: `wanted`, or the brief set
/// if it takes 1.5 ms or more, since each pass repeats the call.
profiler::MetricSet counted_set(profiler::MetricSet wanted, double longest_call);

/// Refers to what profiling a candidate takes; all of it must outlive the profile.
struct DeviceProfiling {
  RunnerPool& runners;  ///< while calls are counted, none of its runners may start or end
  CountersAhead& ahead;
  const DeviceCounting& counting;
  const std::filesystem::path& artefact;  ///< the candidate's build
  double call_limit;                      ///< seconds that a call may take
  RunnerKind kind;                        ///< the kind of runner that can count this candidate
  profiler::MetricSet set;                ///< what is counted of it
};

/// Fills `verdict`'s profile stage, rooflines and launches from its timing. No-op without a timing.
void profile_on_device(PreparedTask& prepared, const DeviceProfiling& with, const Ceilings& ceilings,
                       Verdict& verdict);

}  // namespace ridgeline::judge
