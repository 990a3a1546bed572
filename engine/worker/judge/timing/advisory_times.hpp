// What stands beside the score: hot times, launched one by one and replayed as a graph, and the energy of a
// call. No time here fails a candidate; a launched call that ends the runner
// does, or leaves something wrong. One thread.
#pragma once

#include <optional>
#include <string>

#include "engine/worker/judge/runners/runner_caller.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

class AdvisoryTimes {
 public:
  /// All must live as long. `call_limit`: seconds, at most, before a call counts as hung.
  AdvisoryTimes(PreparedTask& prepared, RunnerProcess& runner, const Ceilings& ceilings,
                const SamplingLimits& limits, double call_limit)
      : prepared_(prepared), runner_(runner), ceilings_(ceilings), limits_(limits), call_limit_(call_limit) {}

  /// Nothing where no cache holds the operands. The runner holds the case's arena; `measured.cold` is known.
  /// Leaves in `slots` what the last calls left, to be compared, or the fault that was seen there.
  void hot(PreparedCase& one, RunnerCaller& caller, TimedSlots& slots, CaseTiming& measured);
  /// Why not; "" where there is a figure. Takes some two seconds.
  std::string energy(const PreparedCase& one, RunnerCaller& caller, TimedSlots& slots, CaseTiming& measured);
  /// As `hot`, by graphs of K and of 2K calls, what the first of which left is compared. Why not; "" where
  /// that went well or there is nothing to replay. Comes last: the runner may end.
  std::string replay(PreparedCase& one, CaseTiming& measured);

 private:
  HotPlan plan(const PreparedCase& one, const CaseTiming& measured) const;
  std::optional<Duration> sample_plan(const HotPlan& plan, RunnerCaller& caller, TimedSlots& slots,
                                      const CaseTiming& measured);
  bool right(const PreparedCase& one, TimedSlots& slots) const;

  PreparedTask& prepared_;
  RunnerProcess& runner_;
  const Ceilings& ceilings_;
  const SamplingLimits& limits_;
  double call_limit_;
  std::optional<double> idle_watts_;
};

}  // namespace ridgeline::judge
