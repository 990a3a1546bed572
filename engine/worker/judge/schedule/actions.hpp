// The judge's schedule orders these actions; its shell (judge.hpp) performs them in their order.
#pragma once

#include <cstddef>
#include <variant>

#include "engine/worker/judge/schedule/runner_kind.hpp"
#include "profiler/device_metrics.hpp"

namespace ridgeline::judge {

/// Starts runners of `kind` until the pool holds `keep` of them, and lets `open` of these open the device.
/// Waits for none.
struct StartRunners {
  RunnerKind kind = RunnerKind::library;
  std::size_t keep = 1;
  std::size_t open = 1;
  bool may_fail = false;  ///< a runner that cannot be started is no error here, but once a request takes one
};

/// Begins to end the retired runners: those that a request has used and no request will use again. Waits for
/// none.
struct EndRetiredRunners {};

/// Ends the retired runners, and waits until none is left.
struct WaitForRetiredRunners {};

/// Waits until no runner starts or ends any more. Does not wait for interpreters that still import and so
/// have not reached the device-open barrier.
struct WaitForBackgroundWork {};

/// Measures how long the device takes to answer the judge, at most `times` times. Stops after the first
/// answer that took longer than `busy`. The schedule's `device_answered` gets the longest time.
struct ProbeDevice {
  int times = 3;
  double busy = 0;  ///< seconds
};

/// Looks for a runner of `kind` that has finished its imports. If there is one, it is the next of its kind to
/// be taken, and the schedule's `runner_at_hand` is called.
struct FindRunnerAtHand {
  RunnerKind kind = RunnerKind::counting;
};

/// Takes a runner of `kind` and has it begin the first counted pass of `set`, in which hardware counters are
/// read. Opening the pass takes a quarter to half a second; this does not wait for it.
struct CountAhead {
  RunnerKind kind = RunnerKind::counting;
  profiler::MetricSet set = profiler::MetricSet::plain;
};

/// Waits until no counted pass is being opened any more.
struct WaitForCounting {};

/// Retires the runner whose counted pass is open or is being opened.
struct GiveUpCounting {};

/// Stops the processes of interpreters that import, which take cores from what is timed.
struct PauseImportingRunners {};
struct ContinueImportingRunners {};

using ScheduleAction =
    std::variant<StartRunners, EndRetiredRunners, WaitForRetiredRunners, WaitForBackgroundWork, ProbeDevice,
                 FindRunnerAtHand, CountAhead, WaitForCounting, GiveUpCounting, PauseImportingRunners,
                 ContinueImportingRunners>;

}  // namespace ridgeline::judge
