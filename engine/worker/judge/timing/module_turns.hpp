// A module's candidate against its reference, in turns (turns.hpp). One thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/timing.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/sampling/turns.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/baseline_side.hpp"

namespace ridgeline::judge {

class ModuleTurns {
 public:
  /// The task's reference runner is there, and `candidate` has mapped the case's timing arena. `caller` and
  /// `slots` are the candidate's. All must live as long. `elsewhere` may see to it that turns are taken on
  /// another core.
  ModuleTurns(PreparedTask& prepared, PreparedCase& one, RunnerProcess& candidate, RunnerCaller& caller,
              TimedSlots& slots, const SamplingLimits& limits, std::function<void()> elsewhere);

  /// The candidate's pairs, whose calls are among those that `slots` remembers; the turns before are
  /// forgotten.
  Sampling take();

  /// Of all that `take` gave last, with a dispute where the better half of the rounds shows one.
  Evidence weigh() const;
  /// Seconds a call of its own turns, whatever the host did to them: what is to be plausible.
  double own_seconds() const;
  /// Enters both sides' times, and keeps the baseline's. `evidence`: of what `take` gave last. Where the
  /// baseline could not be measured, enters the one that was kept. False: there is none; the candidate's
  /// times are entered.
  bool enter(CaseTiming& measured, const Evidence& evidence);
  /// Computed while it was to be still, which made the baseline slower.
  bool ran_while_paused() const { return ran_while_paused_; }
  /// Its batches took no longer than empty ones, and its baseline's did.
  bool took_no_time() const { return judge::took_no_time(turns_.rounds); }
  /// For people, of what `enter` entered.
  std::vector<std::string> remarks() const;

 private:
  std::shared_ptr<void> pause_candidate();
  void time_empty_batches();

  PreparedTask& prepared_;
  PreparedCase& case_;
  RunnerProcess& candidate_;
  RunnerCaller& caller_;
  TimedSlots& slots_;
  const SamplingLimits& limits_;
  std::function<void()> elsewhere_;
  BaselineSide baseline_;
  double seconds_a_call(const BatchPair& pair) const;

  std::vector<double> empty_;    // seconds that batches without calls took
  std::vector<double> settles_;  // seconds until the device did something after the baseline's batches
  Overhead overhead_;
  Turns turns_;
  bool ran_while_paused_ = false;
  double hidden_ = 1;       // by which whole windows are shorter than slopes
  double where_quick_ = 0;  // speed-up of the rounds in which the baseline was quick, where it is another
};

}  // namespace ridgeline::judge
