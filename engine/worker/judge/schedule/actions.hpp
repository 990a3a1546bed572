// The judge's schedule orders these actions; its shell (judge.hpp) performs them in their order.
#pragma once

#include <cstddef>
#include <variant>

#include "engine/worker/judge/schedule/runner_kind.hpp"
#include "profiler/device_metrics.hpp"

namespace ridgeline::judge {

/// Starts runners of `kind` until `keep` of them wait, and lets `open` of these open the device. Waits for
/// none.
struct StartRunners {
  RunnerKind kind = RunnerKind::library;
  std::size_t keep = 1;
  std::size_t open = 1;
  bool may_fail = false;  ///< a runner that cannot be started is reported where it is needed, not here
};

/// Begins to end the runners that were retired. Waits for none.
struct EndRetiredRunners {};

/// Ends the runners that were retired, and waits until none is left.
struct WaitForRetiredRunners {};

/// Waits until no runner starts or ends any more. Interpreters that import ahead of the device-open barrier
/// go on.
struct WaitForBackgroundWork {};

/// Measures how long the device takes to answer the judge: `times` times, or until it took longer than `busy`
/// seconds. The schedule's `device_answered` gets the longest.
struct ProbeDevice {
  int times = 3;
  double busy = 0;
};

/// Makes a runner that is past its import the next of its kind to be taken. The schedule's `runner_at_hand`
/// is called if there is one.
struct FindRunnerAtHand {
  RunnerKind kind = RunnerKind::counting;
};

/// Begins to open the first counted pass of `set` in a runner of `kind`.
struct CountAhead {
  RunnerKind kind = RunnerKind::counting;
  profiler::MetricSet set = profiler::MetricSet::plain;
};

/// Waits until the counted pass that is being opened is open.
struct WaitForCounting {};

/// Gives up the runner whose counted pass is open or is being opened.
struct GiveUpCounting {};

/// Stops the interpreters that import, which take cores from what is timed.
struct PauseImportingRunners {};
struct ContinueImportingRunners {};

using ScheduleAction =
    std::variant<StartRunners, EndRetiredRunners, WaitForRetiredRunners, WaitForBackgroundWork, ProbeDevice,
                 FindRunnerAtHand, CountAhead, WaitForCounting, GiveUpCounting, PauseImportingRunners,
                 ContinueImportingRunners>;

}  // namespace ridgeline::judge
