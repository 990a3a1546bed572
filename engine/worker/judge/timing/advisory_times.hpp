// Measures what stands beside the score: hot times, launched one by one and replayed as a graph, and the
// energy of a call. No figure here fails a candidate; a launched call that ends the runner, or leaves
// something wrong, does. One thread.
#pragma once

#include <optional>
#include <string>

#include "engine/worker/judge/runners/runner_caller.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

class AdvisoryTimes {
 public:
  /// All references must outlive it. `call_limit`: seconds, at most, before a call counts as hung.
  AdvisoryTimes(PreparedTask& prepared, RunnerProcess& runner, const Ceilings& ceilings,
                const SamplingLimits& limits, double call_limit)
      : prepared_(prepared), runner_(runner), ceilings_(ceilings), limits_(limits), call_limit_(call_limit) {}

  /// Enters hot times, if a cache holds the operands. The runner must hold the case's arena, and
  /// `measured.cold` be known. The last calls stay remembered in `slots`, to be compared; so does a fault.
  void hot(PreparedCase& prepared_case, RunnerCaller& caller, TimedSlots& slots, CaseTiming& measured);
  /// Enters the energy of a call. Returns "", or why there is no figure. Takes some two seconds.
  std::string energy(const PreparedCase& prepared_case, RunnerCaller& caller, TimedSlots& slots,
                     CaseTiming& measured);
  /// Enters hot times of graphs of K and of 2K calls, and compares what the first graph left. Returns "" if
  /// that went well or there is nothing to replay, else why not. Call it last: the runner may end.
  std::string replay(PreparedCase& prepared_case, CaseTiming& measured);

 private:
  HotPlan plan(const PreparedCase& prepared_case, const CaseTiming& measured) const;
  std::optional<Duration> sample_plan(const HotPlan& plan, RunnerCaller& caller, TimedSlots& slots,
                                      const CaseTiming& measured);
  bool remembered_calls_right(const PreparedCase& prepared_case, TimedSlots& slots) const;

  PreparedTask& prepared_;
  RunnerProcess& runner_;
  const Ceilings& ceilings_;
  const SamplingLimits& limits_;
  double call_limit_;
  std::optional<double> idle_watts_;  // measured for the first case
};

}  // namespace ridgeline::judge
