// Decides when the judge starts runners, lets them open the device, pauses and ends them, what it prepares
// and what it gives up. Pure: no I/O, no process and no clock.
//
// The judge (judge.hpp) reports events by calling the methods, and after each event takes the actions and
// performs all of them in their order, before it reports the next. (ProbeDevice, FindRunnerAtHand and
// CountAhead report an event themselves.) One thread.
//
// Why there is something to decide: a start takes 0.2 s where a device is opened and 3 s and more where torch
// is imported, and an end takes 0.1 s. Nobody should wait for either. But whatever opens or leaves the device
// disturbs what is timed there, and imports take cores from it.
#pragma once

#include <optional>
#include <vector>

#include "engine/worker/judge/schedule/actions.hpp"
#include "engine/worker/judge/schedule/runner_demand.hpp"
#include "engine/worker/judge/schedule/runners_now.hpp"

namespace ridgeline::judge {

struct ScheduleSettings {
  RunnerMeans means;  ///< the kinds of runners that this machine can start (runner_demand.hpp)
  /// A runner that starts or ends makes timed calls slower, as on a CPU. No runner starts or ends during
  /// timing then.
  bool starts_disturb = true;
};

/// A request's candidate and task, as far as the schedule depends on them.
struct RequestFacts {
  RunnerKind kind = RunnerKind::library;  ///< of the candidate's runner
  bool module = false;                    ///< the task is a module of torch
  bool timed = true;                      ///< the candidate is timed if it is right
  bool compiles = false;                  ///< torch.compile runs in a runner of its own, which nobody keeps
  bool streaming = false;                 ///< the task's buffers may want all of the device's memory
  bool has_reference_runner = false;      ///< the module's reference runs already
};

/// Describes the counted passes of an announced candidate, as far as the schedule depends on them.
struct CountingFacts {
  RunnerKind kind = RunnerKind::counting;
  profiler::MetricSet set = profiler::MetricSet::plain;
  /// Whether the time of a call is roughly known. It is not for a module without a baseline yet, whose calls
  /// may take any time.
  bool length_known = true;
};

class JudgeSchedule {
 public:
  explicit JudgeSchedule(const ScheduleSettings& settings);

  // Announcements: work that is not there yet.

  /// Requests with modules of torch will come.
  void modules_announced();
  /// A request is being built that this judge will get.
  void request_announced() { awaits_announced_ = true; }
  /// Starts the runners that the announced request needs. `counting`: empty where nothing will be counted.
  void prepare(const RequestFacts& request, const std::optional<CountingFacts>& counting);
  /// There is a runner for the counted passes that were prepared (the answer to FindRunnerAtHand).
  void runner_at_hand();
  /// Returns how many seconds to wait for the next request before reporting `announced_request_stayed_away`.
  /// Empty: no request is announced, so wait without a limit.
  std::optional<double> announced_wait() const;
  void announced_request_stayed_away();

  // A request, from its arrival to its answer.

  void request_arrived() { awaits_announced_ = false; }
  /// The request's runner is about to be taken. `free_memory`: bytes of the device; 0 where there is no
  /// device.
  void before_runner_is_taken(double free_memory);
  /// The pool handed out a runner.
  void runner_taken(RunnerKind kind) { demand_.taken(kind); }
  /// The candidate is loaded and compared next. Nothing is timed meanwhile. A task that wants all of the
  /// memory waits for runners of others.
  void check_begins(const RequestFacts& request);
  /// The candidate is right, and its buffers are mapped next.
  void before_timing_buffers_are_mapped(double free_memory);
  /// Buffers are mapped, and timing begins once the actions are performed. If starts disturb, the schedule
  /// waits for all starts and ends. Otherwise runners start and end now: they hold the device's driver, which
  /// timed calls do not need. The schedule then waits for them only where the device itself works for them:
  /// an interpreter computes there, or the device answers a probe late.
  void timing_buffers_mapped(const RunnersNow& runners);
  /// The device answered ProbeDevice; the longest answer took `seconds`.
  void device_answered(double seconds);
  /// Something is timed next that any other work of the judge would slow. `counting_opens`: a counted pass is
  /// being opened.
  void undisturbed_timing_begins(const RunnersNow& runners, bool counting_opens);
  /// Something is timed next that needs a core for itself.
  void whole_cores_wanted() { add(PauseImportingRunners{}); }
  /// It was timed.
  void whole_cores_released() { add(ContinueImportingRunners{}); }
  /// The candidate's runner was retired, and a fresh one counts its calls.
  void counting_begins() { add(EndRetiredRunners{}); }
  /// The candidate's runner was retired, and the verdict is complete.
  void request_ended(const RequestFacts& request);
  /// The judge failed under the request. The candidate's runner was retired.
  void request_failed() { add(WaitForRetiredRunners{}); }

  /// The answer was sent, or the judge has just started. `next_waits`: the next request is there already.
  void on_idle(bool next_waits);

  std::vector<ScheduleAction> take_actions();

 private:
  template <class Action>
  void add(Action action) {
    actions_.emplace_back(action);
  }
  void start_ahead();

  ScheduleSettings settings_;
  RunnerDemand demand_;
  bool queue_nonempty_ = false;            // the next request was there when the last answer was sent
  bool awaits_announced_ = false;          // a request was announced and has not arrived
  std::optional<CountingFacts> to_count_;  // passes to open once a runner for them is at hand
  std::vector<ScheduleAction> actions_;
};

}  // namespace ridgeline::judge
