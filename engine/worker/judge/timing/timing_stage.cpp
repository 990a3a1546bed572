#include "engine/worker/judge/timing/timing_stage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/runners/runner_caller.hpp"
#include "engine/worker/judge/runners/runner_limits.hpp"
#include "engine/worker/judge/sampling/confirmed.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "engine/worker/judge/timing/advisory_times.hpp"
#include "engine/worker/judge/timing/baseline.hpp"
#include "engine/worker/judge/timing/batch_gains.hpp"
#include "engine/worker/judge/timing/host_core.hpp"
#include "engine/worker/judge/timing/idle_baseline.hpp"
#include "engine/worker/judge/timing/module_rounds.hpp"
#include "engine/worker/judge/timing/repeated_checks.hpp"
#include "engine/worker/judge/timing/sampled_case.hpp"
#include "engine/worker/judge/timing/timed_cases.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"
#include "engine/worker/judge/timing/timing_record.hpp"
#include "engine/worker/judge/timing/wrong_call.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using runner::Reply;

constexpr const char* never_idle =
    "the device was busy while the candidate was stopped, so that no baseline could be measured: with what "
    "the candidate has left there, or with the work of others";
constexpr const char* not_checked =
    "its baseline was not looked at again, and stands as it was measured: the device had other work";
constexpr const char* buffers_gone = "its buffers were given back before its outputs were compared";
constexpr const char* no_baseline = "the baseline could not be measured";

class TimingStage {
 public:
  TimingStage(PreparedTask& prepared, RunnerProcess& runner, const Ceilings& ceilings,
              const TimingSettings& settings, Verdict& verdict)
      : prepared_(prepared),
        task_(prepared.task()),
        memory_(prepared.backend().memory()),
        clocks_(prepared.backend().clocks()),
        telemetry_(prepared.backend().telemetry()),
        runner_(runner),
        ceilings_(ceilings),
        settings_(settings),
        record_(verdict),
        limits_(clocks_.sampling(settings.cap_seconds)),
        wants_a_core_(task_.module || runner.interpreter()),
        busy_host_slows_(clocks_.starts_disturb() || runner.interpreter() ? BusyHostSlows::both
                                                                          : BusyHostSlows::baseline_alone),
        advisory_(prepared, runner, ceilings, limits_, settings.call_limit) {}

  std::optional<RunnerExit> run() {
    Timing timing;
    std::vector<PreparedCase*> timed;  // all of them well
    timing.baseline = prepared_.backend().references().baseline_name(task_);
    const auto to_time = timed_cases(prepared_, settings_.hidden_cases);
    // Where a busy host slows both sides, drift comes and goes, so every baseline is checked.
    check_all_baselines_ = busy_host_slows_ == BusyHostSlows::both;
    // Launches wait for all that starts beside them: those of a baseline, which is measured once, and the
    // hundreds of a module's call, baseline or candidate.
    const bool measures =
        std::ranges::any_of(to_time, [](const auto* each) { return !each->baseline().kept(); });
    if (wants_a_core_ || measures) settings_.wait_for_background_work();
    if (!to_time.empty()) checked_case_ = to_time[prepared_.random().below(to_time.size())];
    const auto in_full = calls_compared_in_full(prepared_, to_time);
    for (std::size_t i = 0; i < to_time.size(); ++i) {
      case_ = to_time[i];
      record_.set_case(definition());
      if (!time_case(timing, in_full[i])) break;
      timed.push_back(case_);
    }
    if (timed.size() == to_time.size() && check_new_baselines(timed, timing)) replay(timed, timing);
    record_.finish(std::move(timing));
    return ended_;
  }

 private:
  const Case& definition() const { return case_->definition(); }

  // Every bool below: false means that the stage failed, and that the record says why.

  bool time_case(Timing& timing, std::size_t in_full) {
    const bool needs_streaming = memory_.needs_streaming(task_, definition());
    if (needs_streaming) {
      runner_.release_memory(runner_limits::map);
      memory_.give_back_cached();
    }
    make_timing_arena(prepared_, *case_);
    CaseTiming measured;
    measured.case_name = definition().name;
    // An interpreter's launches want a core for themselves, and each import of torch takes seconds of one.
    auto imports_paused = wants_a_core_ ? settings_.pause_importing_runners() : nullptr;
    choose_core();
    const bool in_rounds =
        task_.module && runner_.interpreter() && !needs_streaming && prepared_.reference_runner().exists();
    if (!in_rounds && !prepare_baseline(measured, needs_streaming)) return false;
    if (const auto answer = map(); !is_ok(answer)) return runner_over(answer);
    RunnerCaller caller(runner_, 2 * limit_for(*case_, settings_.call_limit));
    TimedSlots slots(prepared_, *case_, &runner_);
    auto sampled = sample_case(caller, slots, in_rounds, measured);
    imports_paused.reset();
    if (!sampled) return false;
    if (needs_streaming) free_timing_memory(*case_, runner_, memory_);  // such operands are never hot
    if (!verify(slots, in_full, measured.slots_verified)) return false;
    const auto decision = decided(*sampled);
    if (!record_.enter(decision, *sampled)) {
      // A time that does not count is shown, unless it is of no use without its baseline.
      if (std::holds_alternative<ClocksDisagree>(decision) || std::holds_alternative<BelowFloor>(decision))
        timing.cases.push_back(std::move(measured));
      return false;
    }
    note_remarks(*sampled, measured);
    imports_paused = wants_a_core_ ? settings_.pause_importing_runners() : nullptr;  // comparing needs none
    if (!needs_streaming && !sample_hot_case(caller, slots, measured)) return false;
    if (settings_.energy)
      if (const auto why =
              needs_streaming ? std::string(buffers_gone) : advisory_.energy(*case_, caller, slots, measured);
          !why.empty())
        record_.note("no energy: " + why);
    timing.cases.push_back(std::move(measured));
    return true;
  }

  RunnerAnswer map() {
    const profiler::ScopedMetric metric("timing.map");
    return runner_.map(*case_->timing_arena, runner_limits::map);
  }

  /// Measures the times that score. Empty: the stage failed.
  std::optional<SampledCase> sample_case(RunnerCaller& caller, TimedSlots& slots, bool in_rounds,
                                         CaseTiming& measured) {
    const profiler::ScopedMetric metric("timing.samples");
    const auto limits = candidate_limits();
    std::optional<ModuleRounds> rounds;
    if (in_rounds) {
      caller.set_order(runner::CallOrder::one_by_one);
      const RunnerProcess::Pause pause(runner_);  // while the baseline warms up
      rounds.emplace(prepared_, *case_, runner_, caller, slots, limits, [this] { choose_core(); });
    }
    SampledCase sampled;
    sampled.confirmed = sample_confirmed(
        [&] {
          return rounds ? rounds->sample()
                        : sample(caller, slots, limits, prepared_.random(), profiler::wall_seconds);
        },
        [&](const auto& pairs) {
          return rounds ? rounds->weigh() : clocks_.weigh(pairs, runner_.trusted_overhead());
        },
        [this] { return wait_for_background_work(); });
    correct_for_batch_gains(prepared_, runner_, caller, slots, limits, rounds ? &*rounds : nullptr, sampled);
    if (!ended_well(sampled.confirmed.end, caller, slots)) return std::nullopt;
    const auto& evidence = sampled.confirmed.evidence;
    measured.cold = to_duration(evidence.samples, sampled.confirmed.end == SamplingEnd::enough);
    measured.claimed = evidence.claimed;
    measured.cpu_seconds = evidence.cpu;
    measured.clock_hz = evidence.clock_hz;
    if (rounds) {
      enter_rounds(*rounds, measured, sampled);
    } else {
      measured.baseline_cold = *case_->baseline().kept();
      sampled.seconds = measured.cold.median;
      sampled.remarks = remarks_on(evidence);
    }
    return sampled;
  }

  /// The baseline is kept for others, so it is measured without this one's goal.
  SamplingLimits candidate_limits() const {
    auto limits = limits_;
    limits.goal = settings_.goal;
    if (const auto& kept = case_->baseline().kept()) limits.reference_seconds = kept->median;
    return limits;
  }

  void enter_rounds(const ModuleRounds& rounds, CaseTiming& measured, SampledCase& sampled) {
    const auto summary = rounds.summary();
    sampled.has_baseline = apply(summary, measured, case_->baseline());
    sampled.candidate_ran_while_paused = rounds.candidate_ran_while_paused();
    sampled.below_timer_resolution = summary.below_timer_resolution;
    sampled.seconds = summary.own_seconds;
    sampled.remarks = remarks_on(summary);
    if (may_keep_baseline(sampled)) keep(summary, case_->baseline());
  }

  TimeDecision decided(const SampledCase& sampled) {
    return decide(sampled, check_physics(task_, definition(), sampled.seconds, ceilings_,
                                         telemetry_.theoretical_bandwidth()));
  }

  void note_remarks(SampledCase& sampled, const CaseTiming& measured) {
    const bool stands = busy_host_slows_ == BusyHostSlows::baseline_alone;
    add_remarks(sampled, telemetry_.throttle_note(), stands ? measured.baseline_drift : 1);
    for (const auto& remark : sampled.remarks) record_.note(remark);
  }

  bool sample_hot_case(RunnerCaller& caller, TimedSlots& slots, CaseTiming& measured) {
    advisory_.hot(*case_, caller, slots, measured);
    if (slots.fault()) {
      record_.fail(*slots.fault());
      return false;
    }
    if (caller.last() || slots.arrange_failure())
      return runner_over(caller.last() ? *caller.last() : *slots.arrange_failure());
    return verify(slots, 0, measured.slots_verified);
  }

  /// Gives the core back meanwhile, which a process that starts now would inherit. Returns whether it waited.
  bool wait_for_background_work() {
    core_.give_back();
    const bool waited = settings_.wait_for_background_work();
    choose_core();
    return waited;
  }

  /// Puts both sides of a module on one core, since a host's cores do not do the same work in the same time.
  /// Kernels on a CPU stay where they are: their baseline was measured at another moment, and CPU time, by
  /// which they are timed, is disturbed by a wait for such a core.
  void choose_core() {
    const auto* reference = prepared_.reference_runner().process();
    if (task_.module && (runner_.interpreter() || !clocks_.starts_disturb()))
      core_.move({runner_.pid(), reference ? reference->pid() : -1});
  }

  /// Has the case's baseline measured, or checked if it is due. False: there is none.
  bool prepare_baseline(CaseTiming& measured, bool needs_streaming) {
    const bool check = check_all_baselines_ || case_ == checked_case_;
    if (!update_baseline(*case_, check, measured.baseline_drift)) return false;
    // One baseline that drifted says that the host changed, so the following cases are checked too.
    check_all_baselines_ = check_all_baselines_ || measured.baseline_drift > most_drift ||
                           measured.baseline_drift < 1 / most_drift;
    if (auto* reference = prepared_.reference_runner().process(); needs_streaming && reference)
      reference->release_memory(runner_limits::map);
    if (needs_streaming) memory_.give_back_cached();
    if (case_->baseline().kept()) return true;
    const auto& ended = prepared_.reference_runner().how_ended();
    record_.fail_by_judge(ended.empty() ? no_baseline
                                        : fmt::format("{}: its runner ended: {}", no_baseline, ended));
    return false;
  }

  /// Checks baselines that were measured for the first time once more, before anything is compared with them:
  /// launches wait for a host that may be slow now and fast some tenths of a second later.
  bool check_new_baselines(const std::vector<PreparedCase*>& timed, Timing& timing) {
    if (busy_host_slows_ != BusyHostSlows::baseline_alone) return true;
    const auto imports_paused = wants_a_core_ ? settings_.pause_importing_runners() : nullptr;
    for (std::size_t i = 0; i < timed.size(); ++i) {
      const auto& checked = timed[i]->definition();
      if (timed[i]->baseline().confirmed() || memory_.needs_streaming(task_, checked)) continue;
      record_.set_case(checked);
      auto& measured = timing.cases[i];
      if (!update_baseline(*timed[i], /*check=*/true, measured.baseline_drift)) return false;
      measured.baseline_cold = *timed[i]->baseline().kept();
    }
    return true;
  }

  bool update_baseline(PreparedCase& updated, bool check, double& drift) {
    const auto outcome =
        measure_idle_baseline(prepared_, updated, runner_.pid(), limits_, check, busy_host_slows_);
    if (const auto* kept = std::get_if<BaselineKept>(&outcome)) {
      if (!kept->drift) record_.note(not_checked);
      drift = kept->drift.value_or(1);
      return true;
    }
    if (std::holds_alternative<CandidateRan>(outcome))
      record_.fail_ran_while_paused();
    else
      record_.fail_by_judge(never_idle);
    return false;
  }

  bool ended_well(SamplingEnd end, const RunnerCaller& caller, const TimedSlots& slots) {
    if (end == SamplingEnd::slot_wrong) {
      record_.fail(*slots.fault());
      return false;
    }
    if (end == SamplingEnd::caller_over)
      return runner_over(caller.last() ? *caller.last() : *slots.arrange_failure());
    return true;
  }

  /// Whether the remembered calls are also right.
  bool verify(TimedSlots& slots, std::size_t in_full, int& verified) {
    const auto wrong = find_wrong_call(prepared_, *case_, slots, in_full, verified);
    slots.forget();
    if (!wrong) return true;
    const double limit = 2 * limit_for(*case_, settings_.call_limit);
    const auto checks = wrong->weak ? RepeatedChecks{} : repeat_checks(prepared_, *case_, runner_, limit);
    ended_ = checks.ended;
    record_.fail(*wrong, checks);
    return false;
  }

  /// Comes last: a candidate may end when it is captured, and its verdict must be no worse for that.
  void replay(const std::vector<PreparedCase*>& timed, Timing& timing) {
    std::string why;
    for (std::size_t i = timed.size(); i-- > 0 && why.empty();)
      why = advisory_.replay(*timed[i], timing.cases[i]);
    if (!why.empty()) record_.note_not_replayed(why);
  }

  /// The runner refused an order, or ended. Always false.
  bool runner_over(const RunnerAnswer& answer) {
    if (const auto* reply = std::get_if<Reply>(&answer)) {
      record_.fail_refused(explain_refusal(*reply, runner_.interpreter()));
      return false;
    }
    ended_ = std::get<RunnerExit>(answer);
    record_.fail_ended(explain_end(*ended_, 2 * limit_for(*case_, settings_.call_limit), runner_.mapping(),
                                   case_->timing_arena.get(), task_));
    return false;
  }

  PreparedTask& prepared_;
  const Task& task_;
  DeviceMemory& memory_;
  const ClockModel& clocks_;
  Telemetry& telemetry_;
  RunnerProcess& runner_;
  const Ceilings& ceilings_;
  TimingSettings settings_;
  TimingRecord record_;
  SamplingLimits limits_;
  bool wants_a_core_;  // its launches come out of an interpreter, or its baseline's do
  BusyHostSlows busy_host_slows_;
  AdvisoryTimes advisory_;
  PreparedCase* case_ = nullptr;
  SharedCore core_;
  const PreparedCase* checked_case_ = nullptr;  // the case whose kept baseline is checked, drawn at random
  bool check_all_baselines_ = false;
  std::optional<RunnerExit> ended_;
};

}  // namespace

std::optional<RunnerExit> time_candidate(PreparedTask& prepared, RunnerProcess& runner,
                                         const Ceilings& ceilings, const TimingSettings& settings,
                                         Verdict& verdict) {
  return TimingStage(prepared, runner, ceilings, settings, verdict).run();
}

}  // namespace ridgeline::judge
