// When the judge starts, opens, pauses and ends runners, what it prepares and what it gives up: every such
// decision, and no I/O, no process and no clock.
//
// Events come in by the methods, what to do goes out by `take_actions`. The shell (judge.hpp) performs all
// actions after each event, in their order, before it feeds the next. One thread.
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
  RunnerMeans means;
  /// A runner that starts or ends is seen in what is timed, as on a CPU: then nothing happens beside it.
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
  bool length_known = true;  ///< of a call: before a first baseline, a module's may take anything
};

class JudgeSchedule {
 public:
  explicit JudgeSchedule(const ScheduleSettings& settings);

  // Announcements: work that is not there yet.

  /// Modules of torch will come.
  void modules_announced();
  /// A request is being built that this judge will get.
  void request_announced() { awaits_announced_ = true; }
  /// Starts the runners that the announced request needs. `counting`: empty where nothing will be counted.
  void prepare(const RequestFacts& request, const std::optional<CountingFacts>& counting);
  void runner_at_hand();
  /// Seconds to wait for the next request before `announced_request_stayed_away`. Empty: as long as it takes.
  std::optional<double> announced_wait() const;
  void announced_request_stayed_away();

  // A request, from its arrival to its answer.

  void request_arrived() { awaits_announced_ = false; }
  /// Its runner is about to be taken. `free_memory`: bytes of the device; 0 where there is no device.
  void before_runner_is_taken(double free_memory);
  /// The pool handed out a runner.
  void runner_taken(RunnerKind kind) { demand_.taken(kind); }
  /// The candidate is loaded and compared next: the device is not timed meanwhile.
  void check_begins(const RequestFacts& request);
  /// The candidate is right, and its buffers are mapped next.
  void before_timing_buffers_are_mapped(double free_memory);
  /// Buffers are mapped, and timing begins once the actions are performed. Timed calls do without the driver,
  /// so runners start and end now, unless the device itself is at work for one of them.
  void timing_buffers_mapped(const RunnersNow& runners);
  /// The answer to ProbeDevice: the longest time that it took, seconds.
  void device_answered(double seconds);
  /// Something is timed now that any other work of the judge would slow. `counting_opens`: a counted pass is
  /// being opened.
  void undisturbed_timing_begins(const RunnersNow& runners, bool counting_opens);
  /// Something is timed now that wants a core for itself; and no longer.
  void whole_cores_wanted() { add(PauseImportingRunners{}); }
  void whole_cores_released() { add(ContinueImportingRunners{}); }
  /// The candidate's runner was retired, and a fresh one counts its calls.
  void counting_begins() { add(EndRetiredRunners{}); }
  /// The candidate's runner was retired, and the verdict is complete.
  void request_ended(const RequestFacts& request);
  /// The judge failed under the request. The candidate's runner was retired.
  void request_failed() { add(WaitForRetiredRunners{}); }

  /// The answer was sent; or the judge has just started, and nobody waits.
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
  bool queue_nonempty_ = false;            // requests waited for one another when the last answer was sent
  bool awaits_announced_ = false;          // what was prepared is still to be used
  std::optional<CountingFacts> to_count_;  // announced, until a runner for it is at hand
  std::vector<ScheduleAction> actions_;
};

}  // namespace ridgeline::judge
