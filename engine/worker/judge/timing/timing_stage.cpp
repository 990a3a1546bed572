#include "engine/worker/judge/timing/timing_stage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/runners/runner_caller.hpp"
#include "engine/worker/judge/runners/runner_limits.hpp"
#include "engine/worker/judge/sampling/confirmed.hpp"
#include "engine/worker/judge/sampling/full_comparisons.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "engine/worker/judge/timing/advisory_times.hpp"
#include "engine/worker/judge/timing/baseline.hpp"
#include "engine/worker/judge/timing/host_core.hpp"
#include "engine/worker/judge/timing/module_turns.hpp"
#include "engine/worker/judge/timing/quiet_baseline.hpp"
#include "engine/worker/judge/timing/timed_cases.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"
#include "engine/worker/judge/timing/timing_record.hpp"
#include "engine/worker/judge/timing/wrong_call.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using runner::Answer;
using runner::Reply;

constexpr const char* never_idle =
    "the device was busy while the candidate was stopped, so that no baseline could be measured: with what "
    "the candidate has left there, or with the work of others";
constexpr const char* not_looked_at =
    "its baseline was not looked at again, and stands as it was measured: the device had other work";
constexpr const char* no_baseline = "the baseline could not be measured";
constexpr const char* not_side_by_side =
    "it and its baseline could not be timed side by side: the baseline's runner ended, the device was busy "
    "with something else, or the baseline's batches took no longer than empty ones";

class TimingStage {
 public:
  TimingStage(PreparedTask& prepared, RunnerProcess& runner, const Ceilings& ceilings,
              const TimingSettings& settings, Verdict& verdict)
      : prepared_(prepared),
        task_(prepared.task()),
        runner_(runner),
        ceilings_(ceilings),
        settings_(settings),
        record_(task_, verdict),
        limits_(prepared.backend().sampling(settings.cap_seconds)),
        busy_host_slows_(prepared.backend().starts_disturb() || runner.interpreter()
                             ? BusyHostSlows::both
                             : BusyHostSlows::baseline_alone),
        advisory_(prepared, runner, ceilings, limits_, settings.call_limit) {}

  std::optional<RunnerExit> run() {
    Timing timing;
    std::vector<PreparedCase*> timed;  // all of them well
    timing.baseline = prepared_.backend().baseline_name(task_);
    const auto to_time = timed_cases(prepared_, settings_.hidden_cases);
    look_at_all_ = busy_host_slows_ == BusyHostSlows::both;  // drift comes and goes there
    // Launches wait for all that is started beside: those of a baseline, which is measured once, and the
    // hundreds of a module's call, baseline or candidate.
    const bool measures = std::ranges::any_of(to_time, [](const auto* one) { return !one->baseline; });
    if (task_.module || measures) settings_.quieten();
    if (!to_time.empty()) looked_at_ = to_time[prepared_.random().below(to_time.size())];
    const auto in_full = full_comparisons(seconds_of_expectations(to_time), prepared_.random());
    for (std::size_t i = 0; i < to_time.size(); ++i) {
      case_ = to_time[i];
      record_.at(definition());
      if (!time_case(timing, in_full[i])) break;
      timed.push_back(case_);
    }
    if (timed.size() == to_time.size() && look_back(timed, timing)) replay(timed, timing);
    record_.finish(std::move(timing));
    return ended_;
  }

 private:
  const Case& definition() const { return case_->definition(); }

  /// One case's times of both sides, as they were taken.
  struct Taken {
    Confirmed confirmed;
    bool against = true;   ///< there is a baseline to hold them against
    bool ran = false;      ///< while its baseline was timed
    bool no_time = false;  ///< its baseline took some
    double seconds = 0;    ///< a call, as its own windows were
    std::vector<std::string> remarks;
  };

  bool time_case(Timing& timing, std::size_t in_full) {
    const bool lean = prepared_.backend().lean(task_, definition());
    if (lean) {
      runner_.rest(runner_limits::map);
      prepared_.backend().give_back_memory();
    }
    make_slots(prepared_, *case_);
    CaseTiming measured;
    measured.case_name = definition().name;
    // An interpreter's launches want a core for themselves, and each import of torch takes seconds of one.
    auto held = task_.module ? settings_.hold() : nullptr;
    choose_core();
    const bool in_turns = task_.module && runner_.interpreter() && !lean && prepared_.reference_runner;
    if (!in_turns && !look_at_baseline(measured, lean)) return false;
    if (const auto answer = map(); !good(answer)) return over(answer);
    RunnerCaller caller(runner_, 2 * limit_for(*case_, settings_.call_limit));
    TimedSlots slots(prepared_, *case_, &runner_);
    auto taken = take(caller, slots, in_turns, measured);
    held.reset();
    if (!taken) return false;
    if (lean) runner_.rest(runner_limits::map);  // its calls are over: operands of that size are never hot
    if (!verify(slots, in_full, measured.slots_verified) || !can_count(*taken)) return false;
    if (!record_.clocks_agree(taken->confirmed.evidence) ||
        !record_.plausible(taken->seconds, ceilings_, prepared_.backend().theoretical_bandwidth())) {
      timing.cases.push_back(std::move(measured));
      return false;
    }
    remark(*taken, measured);
    held = task_.module ? settings_.hold() : nullptr;  // comparing had no need of it
    if (!lean && !take_hot(caller, slots, measured)) return false;
    if (settings_.energy)
      if (const auto why = advisory_.energy(*case_, caller, slots, measured); !why.empty())
        record_.note("no energy: " + why);
    timing.cases.push_back(std::move(measured));
    return true;
  }

  RunnerAnswer map() {
    const profiler::ScopedMetric metric("timing.map");
    return runner_.map(*case_->timing_arena, runner_limits::map);
  }

  /// The times that score. Empty: the stage failed.
  std::optional<Taken> take(RunnerCaller& caller, TimedSlots& slots, bool in_turns, CaseTiming& measured) {
    const profiler::ScopedMetric metric("timing.samples");
    std::optional<ModuleTurns> turns;
    if (in_turns) {
      const RunnerProcess::Pause quiet(runner_);  // the baseline is warmed up
      turns.emplace(prepared_, *case_, runner_, caller, slots, limits_, [this] { choose_core(); });
    }
    Taken taken;
    taken.confirmed = sample_confirmed(
        [&] {
          return turns ? turns->take()
                       : sample(caller, slots, limits_, prepared_.random(), profiler::wall_seconds);
        },
        [&](const auto& pairs) {
          return turns ? turns->weigh() : prepared_.backend().weigh(pairs, runner_.trusted_overhead());
        },
        [this] { return quieten(); });
    if (!went_well(taken.confirmed.end, caller, slots)) return std::nullopt;
    const auto& evidence = taken.confirmed.evidence;
    measured.cold = to_duration(evidence.samples, taken.confirmed.end == SamplingEnd::enough);
    measured.claimed = evidence.claimed;
    measured.cpu_seconds = evidence.cpu;
    measured.clock_hz = evidence.clock_hz;
    if (turns) {
      taken.against = turns->enter(measured, evidence);
      taken.seconds = turns->own_seconds();
      taken.ran = turns->ran_while_paused();
      taken.no_time = turns->took_no_time();
      taken.remarks = turns->remarks();
    } else {
      measured.baseline_cold = *case_->baseline;
      taken.seconds = measured.cold.median;
      taken.remarks = remarks_on(evidence);
    }
    return taken;
  }

  /// Whether there is something to be said of the candidate's time at all.
  bool can_count(const Taken& taken) {
    if (taken.ran) {
      record_.ran_while_paused();
      return false;
    }
    const bool told_below = taken.no_time || taken.confirmed.evidence.dispute != Dispute::none;
    if (!taken.against && !told_below) record_.no_time(not_side_by_side);
    return taken.against || told_below;
  }

  void remark(Taken& taken, const CaseTiming& measured) {
    auto& remarks = taken.remarks;
    if (taken.confirmed.at_first != Dispute::none)
      remarks.push_back(fmt::format("timed again, since the clocks disagreed at first ({})",
                                    to_string(taken.confirmed.at_first)));
    if (auto trouble = prepared_.backend().trouble(); !trouble.empty()) remarks.push_back(std::move(trouble));
    if (measured.baseline_drift > most_drift && busy_host_slows_ == BusyHostSlows::baseline_alone)
      remarks.push_back(
          fmt::format("the baseline took {:.2f} times as long as when it was measured, and that stands: a "
                      "busy host slows its launches",
                      measured.baseline_drift));
    for (const auto& one : remarks) record_.note(one);
  }

  bool take_hot(RunnerCaller& caller, TimedSlots& slots, CaseTiming& measured) {
    advisory_.hot(*case_, caller, slots, measured);
    if (slots.fault()) {
      record_.wrong(*slots.fault());
      return false;
    }
    if (caller.last() || slots.refused()) return over(caller.last() ? *caller.last() : *slots.refused());
    return verify(slots, 0, measured.slots_verified);
  }

  /// What starts meanwhile would keep to the cores of whoever starts it.
  bool quieten() {
    core_.give_back();
    const bool did = settings_.quieten();
    choose_core();
    return did;
  }

  /// For both sides of a module: a host's cores do not do the same work in the same time. (Kernels on a CPU
  /// are held against a baseline of another moment, and by a clock that a wait for such a core would
  /// disturb.)
  void choose_core() {
    const auto* reference = prepared_.reference_runner.get();
    if (task_.module && (runner_.interpreter() || !prepared_.backend().starts_disturb()))
      core_.move({runner_.pid(), reference ? reference->pid() : -1});
  }

  /// False: there is none.
  bool look_at_baseline(CaseTiming& measured, bool lean) {
    if (!keep_baseline_of(*case_, look_at_all_ || case_ == looked_at_, measured.baseline_drift)) return false;
    look_at_all_ =
        look_at_all_ || measured.baseline_drift > most_drift || measured.baseline_drift < 1 / most_drift;
    if (lean && prepared_.reference_runner) prepared_.reference_runner->rest(runner_limits::map);
    if (lean) prepared_.backend().give_back_memory();
    if (!case_->baseline)
      record_.no_time(prepared_.reference_end.empty()
                          ? no_baseline
                          : fmt::format("{}: its runner ended: {}", no_baseline, prepared_.reference_end));
    return case_->baseline.has_value();
  }

  /// Launches wait for a host that may be slow now and quick some tenths of a second later: what was measured
  /// for the first time is looked at once more before anything is held against it. False: the stage failed.
  bool look_back(const std::vector<PreparedCase*>& timed, Timing& timing) {
    if (busy_host_slows_ != BusyHostSlows::baseline_alone) return true;
    const auto held = task_.module ? settings_.hold() : nullptr;
    for (std::size_t i = 0; i < timed.size(); ++i) {
      if (timed[i]->baseline_confirmed || prepared_.backend().lean(task_, timed[i]->definition())) continue;
      record_.at(timed[i]->definition());
      auto& measured = timing.cases[i];
      if (!keep_baseline_of(*timed[i], /*look=*/true, measured.baseline_drift)) return false;
      measured.baseline_cold = *timed[i]->baseline;
    }
    return true;
  }

  /// False: the stage failed.
  bool keep_baseline_of(PreparedCase& one, bool look, double& drift) {
    const auto found = keep_in_quiet(prepared_, one, runner_.pid(), limits_, look, busy_host_slows_);
    if (const auto* kept = std::get_if<BaselineKept>(&found)) {
      if (!kept->drift) record_.note(not_looked_at);
      drift = kept->drift.value_or(1);
      return true;
    }
    if (std::holds_alternative<CandidateRan>(found))
      record_.ran_while_paused();
    else
      record_.no_time(never_idle);
    return false;
  }

  std::vector<std::optional<double>> seconds_of_expectations(const std::vector<PreparedCase*>& cases) const {
    std::vector<std::optional<double>> seconds;
    for (const auto* one : cases)
      seconds.push_back(prepared_.backend().lean(task_, one->definition())
                            ? std::nullopt
                            : std::optional(one->expectation_seconds()));
    return seconds;
  }

  bool went_well(SamplingEnd end, const RunnerCaller& caller, const TimedSlots& slots) {
    if (end == SamplingEnd::slot_wrong) {
      record_.wrong(*slots.fault());
      return false;
    }
    if (end == SamplingEnd::caller_over) return over(caller.last() ? *caller.last() : *slots.refused());
    return true;
  }

  /// What was timed is also right.
  bool verify(TimedSlots& slots, std::size_t in_full, int& verified) {
    const auto wrong = find_wrong(prepared_, *case_, slots.remembered(), in_full, verified);
    slots.forget();
    if (wrong) record_.wrong(*wrong);
    return !wrong;
  }

  /// Comes after all that counts: a candidate that cannot bear to be captured may end, and is then none the
  /// worse for it.
  void replay(const std::vector<PreparedCase*>& timed, Timing& timing) {
    std::string why;
    for (std::size_t i = timed.size(); i-- > 0 && why.empty();)
      why = advisory_.replay(*timed[i], timing.cases[i]);
    if (!why.empty()) record_.not_replayed(why);
  }

  static bool good(const RunnerAnswer& answer) {
    const auto* reply = std::get_if<Reply>(&answer);
    return reply && reply->answer == Answer::ok;
  }

  /// The runner refused, or ended.
  bool over(const RunnerAnswer& answer) {
    if (const auto* reply = std::get_if<Reply>(&answer)) {
      record_.refused(explain_refusal(*reply, runner_.interpreter()));
      return false;
    }
    ended_ = std::get<RunnerExit>(answer);
    record_.ended(explain_end(*ended_, 2 * limit_for(*case_, settings_.call_limit), runner_.mapping(),
                              case_->timing_arena.get(), task_));
    return false;
  }

  PreparedTask& prepared_;
  const Task& task_;
  RunnerProcess& runner_;
  const Ceilings& ceilings_;
  TimingSettings settings_;
  TimingRecord record_;
  SamplingLimits limits_;
  BusyHostSlows busy_host_slows_;
  AdvisoryTimes advisory_;
  PreparedCase* case_ = nullptr;
  SharedCore core_;
  const PreparedCase* looked_at_ = nullptr;  // whose baseline is looked at again
  bool look_at_all_ = false;                 // from here on
  std::optional<RunnerExit> ended_;
};

}  // namespace

std::optional<RunnerExit> time_candidate(PreparedTask& prepared, RunnerProcess& runner,
                                         const Ceilings& ceilings, const TimingSettings& settings,
                                         Verdict& verdict) {
  return TimingStage(prepared, runner, ceilings, settings, verdict).run();
}

}  // namespace ridgeline::judge
