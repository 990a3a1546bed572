// Times a module's candidate and its reference in interleaved A/B rounds (interleaved_rounds.hpp), both in
// runners. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/sampling/interleaved_rounds.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/baseline_side.hpp"
#include "engine/worker/judge/timing/calls_apart.hpp"
#include "engine/worker/judge/timing/round_summary.hpp"

namespace ridgeline::judge {

/// The rounds of one case. It pauses the candidate whenever the baseline is measured.
class ModuleRounds {
 public:
  /// Warms up the baseline. The task's reference runner must be there, and `candidate` must have mapped the
  /// case's timing arena. `caller` and `slots` are the candidate's; all arguments must outlive this.
  /// `change_core` is called after a round that the host slowed, and may move both sides to another core.
  /// Throws BadInput if the reference cannot be run.
  ModuleRounds(PreparedTask& prepared, PreparedCase& prepared_case, RunnerProcess& candidate,
               RunnerCaller& caller, TimedSlots& slots, const SamplingLimits& limits,
               std::function<void()> change_core);

  /// Measures rounds and returns the candidate's pairs. Of the calls that `slots` remembers, those of the
  /// candidate's better rounds stay. Rounds of an earlier call are forgotten.
  Sampling sample();
  /// Weighs the candidate's pairs of the last `sample`. The evidence has a dispute if its better half of the
  /// rounds, weighed alone, shows one.
  Evidence weigh() const;
  /// Summarizes the rounds of the last `sample`.
  RoundSummary summary() const;
  /// Returns the reference with its time in the last `sample`, to be measured in other ways too while the
  /// candidate is paused; empty if it has no runner or no time.
  std::optional<TimedSide> reference();
  /// Pauses the candidate and waits up to a second until the device is idle. What is returned continues the
  /// candidate when it is destroyed, which must be before this is.
  std::shared_ptr<void> pause_candidate();
  /// Returns whether the candidate computed while it was paused, which made its baseline slower.
  bool candidate_ran_while_paused() const { return ran_while_paused_; }

 private:
  void time_empty_batches();
  double seconds_a_call(const BatchPair& pair) const;

  PreparedTask& prepared_;
  const ClockModel& clocks_;
  RunnerProcess& candidate_;
  RunnerCaller& caller_;
  TimedSlots& slots_;
  const SamplingLimits& limits_;
  std::function<void()> change_core_;
  BaselineSide baseline_;

  std::vector<double> empty_batches_;  // seconds of batches without calls
  std::vector<double> responses_;      // seconds until the device answered after the baseline's batches
  Overhead overhead_;
  InterleavedRounds rounds_;
  bool ran_while_paused_ = false;
};

}  // namespace ridgeline::judge
