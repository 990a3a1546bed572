#include "engine/worker/judge/timing/timing_stage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/runners/runner_caller.hpp"
#include "engine/worker/judge/sampling/confirmed.hpp"
#include "engine/worker/judge/sampling/full_comparisons.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "engine/worker/judge/timing/advisory_times.hpp"
#include "engine/worker/judge/timing/baseline.hpp"
#include "engine/worker/judge/timing/host_core.hpp"
#include "engine/worker/judge/timing/module_turns.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"
#include "engine/worker/judge/timing/wrong_call.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using runner::Answer;
using runner::Reply;

constexpr double kMapLimit = 10;  // seconds
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
        verdict_(verdict),
        limits_(prepared.backend().sampling(settings.cap_seconds)),
        busy_host_slows_(prepared.backend().starts_disturb() || runner.interpreter()
                             ? BusyHostSlows::both
                             : BusyHostSlows::baseline_alone),
        advisory_(prepared, runner, ceilings, limits_, settings.call_limit) {}

  std::optional<RunnerEnd> run() {
    Timing timing;
    std::vector<PreparedCase*> timed;  // all of them well
    timing.baseline = prepared_.backend().baseline_name(task_);
    const auto to_time = cases_to_time();
    look_at_all_ = busy_host_slows_ == BusyHostSlows::both;  // drift comes and goes there
    // Launches wait for all that is started beside: those of a baseline, which is measured once, and the
    // hundreds of a module's call, baseline or candidate.
    const bool measures = std::ranges::any_of(to_time, [](const auto* one) { return !one->baseline; });
    if (task_.module || measures) settings_.quieten();
    if (!to_time.empty()) looked_at_ = to_time[prepared_.random().below(to_time.size())];
    const auto in_full = full_comparisons(seconds_of_expectations(to_time), prepared_.random());
    for (std::size_t i = 0; i < to_time.size(); ++i) {
      case_ = to_time[i];
      if (!time_case(timing, in_full[i])) break;
      timed.push_back(case_);
    }
    if (timed.size() == timing.cases.size()) replay(timed, timing);
    auto& stage = verdict_.at(Stage::timing);
    if (!timing.cases.empty()) {
      score(timing);
      verdict_.timing = std::move(timing);
      if (stage.status == Status::not_reached) stage.status = Status::passed;
    } else if (stage.status == Status::not_reached) {
      stage = {.status = Status::unavailable, .reason = Reason::none, .detail = "the task times no case"};
    }
    return ended_;
  }

 private:
  std::vector<PreparedCase*> cases_to_time() const {
    std::vector<PreparedCase*> found;
    for (const auto& one : prepared_.cases()) {
      const auto& definition = one->definition();
      if (definition.timed && !definition.final && (!definition.hidden || settings_.hidden_cases))
        found.push_back(one.get());
    }
    return found;
  }
  const Case& definition() const { return case_->definition(); }
  std::string case_text() const {
    return definition().hidden ? std::string("an unseen case") : "case " + definition().name;
  }

  bool time_case(Timing& timing, std::size_t in_full) {
    const bool lean = prepared_.backend().lean(task_, definition());
    if (lean) {
      runner_.rest(kMapLimit);
      prepared_.backend().give_back_memory();
    }
    if (!case_->timing_arena)
      case_->timing_arena = prepared_.backend().make_arena(task_, definition(),
                                                           prepared_.backend().timing_slots(task_, *case_));
    CaseTiming measured;
    measured.case_name = definition().name;
    // An interpreter's launches want a core for themselves, and each import of torch takes seconds of one.
    auto held = task_.module ? settings_.hold() : nullptr;
    choose_core();
    const bool in_turns = task_.module && runner_.interpreter() && !lean && prepared_.reference_runner;
    if (!in_turns && !look_at_baseline(measured, lean)) return false;
    if (const auto answer = runner_.map(*case_->timing_arena, kMapLimit); !good(answer)) return over(answer);

    const double limit = 2 * limit_for(*case_, settings_.call_limit);
    RunnerCaller caller(runner_, limit);
    TimedSlots slots(prepared_, *case_, &runner_);
    std::optional<ModuleTurns> turns;
    if (in_turns) {
      const RunnerProcess::Pause quiet(runner_);  // the baseline is warmed up
      turns.emplace(prepared_, *case_, runner_, caller, slots, limits_, [this] { choose_core(); });
    }
    const auto confirmed = sample_confirmed(
        [&] {
          return turns ? turns->take()
                       : sample(caller, slots, limits_, prepared_.random(), profiler::wall_seconds);
        },
        [&](const auto& pairs) { return prepared_.backend().weigh(pairs, runner_.trusted_overhead()); },
        settings_.quieten);
    held.reset();
    if (!went_well(confirmed.end, caller, slots)) return false;
    const auto& evidence = confirmed.evidence;
    measured.cold = to_duration(evidence.samples, confirmed.end == SamplingEnd::enough);
    const bool against = turns ? turns->enter(measured, evidence) : true;
    if (!turns) measured.baseline_cold = *case_->baseline;
    const bool ran = turns && turns->ran_while_paused(), no_time = turns && turns->took_no_time();
    auto remarks = turns ? turns->remarks() : remarks_on(evidence);
    turns.reset();
    measured.claimed = evidence.claimed;
    measured.cpu_seconds = evidence.cpu;
    measured.clock_hz = evidence.clock_hz;
    if (lean) runner_.rest(kMapLimit);  // its calls are over: operands of that size are never hot
    if (!verify(slots, in_full, measured.slots_verified)) return false;
    if (ran) return ran_while_paused();
    if (!against && !no_time && evidence.dispute == Dispute::none)
      return fail(Reason::judge_failed, not_side_by_side);
    if (!clocks_agree(evidence) || !plausible(measured.cold)) {
      timing.cases.push_back(std::move(measured));
      return false;
    }
    if (confirmed.at_first != Dispute::none)
      remarks.push_back(fmt::format("timed again, since the clocks disagreed at first ({})",
                                    to_string(confirmed.at_first)));
    if (auto trouble = prepared_.backend().trouble(); !trouble.empty()) remarks.push_back(std::move(trouble));
    if (measured.baseline_drift > most_drift && busy_host_slows_ == BusyHostSlows::baseline_alone)
      remarks.push_back(
          fmt::format("the baseline took {:.2f} times as long as when it was measured, and that stands: a "
                      "busy host slows its launches",
                      measured.baseline_drift));
    for (const auto& remark : remarks) verdict_.notes.push_back(fmt::format("{}: {}", case_text(), remark));
    held = task_.module ? settings_.hold() : nullptr;  // comparing had no need of it
    if (!lean) {
      advisory_.hot(*case_, caller, slots, measured);
      if (slots.fault()) return slot_wrong(*slots.fault());
      if (caller.last() || slots.refused()) return over(caller.last() ? *caller.last() : *slots.refused());
      if (!verify(slots, 0, measured.slots_verified)) return false;
    }
    if (settings_.energy)
      if (const auto why = advisory_.energy(*case_, caller, slots, measured); !why.empty())
        verdict_.notes.push_back(fmt::format("{}: no energy: {}", case_text(), why));
    timing.cases.push_back(std::move(measured));
    return true;
  }

  /// For both sides of a module: a host's cores do not do the same work in the same time.
  void choose_core() {
    const auto* reference = prepared_.reference_runner.get();
    if (task_.module && !prepared_.backend().starts_disturb())
      core_.move({runner_.pid(), reference ? reference->pid() : -1});
  }

  /// False: there is none.
  bool look_at_baseline(CaseTiming& measured, bool lean) {
    {
      const RunnerProcess::Pause quiet(runner_);
      const auto before = case_->baseline;
      measured.baseline_drift =
          keep_baseline(prepared_, *case_, limits_, look_at_all_ || case_ == looked_at_, busy_host_slows_);
      if (quiet.ran()) {
        case_->baseline = before;  // nobody else is held against what it slowed
        case_->baseline_confirmed = false;
        return ran_while_paused();
      }
    }
    look_at_all_ =
        look_at_all_ || measured.baseline_drift > most_drift || measured.baseline_drift < 1 / most_drift;
    if (lean && prepared_.reference_runner) prepared_.reference_runner->rest(kMapLimit);
    if (lean) prepared_.backend().give_back_memory();
    return case_->baseline || fail(Reason::judge_failed, no_baseline);
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
    if (end == SamplingEnd::slot_wrong) return slot_wrong(*slots.fault());
    if (end == SamplingEnd::caller_over) return over(caller.last() ? *caller.last() : *slots.refused());
    return true;
  }

  /// What was timed is also right.
  bool verify(TimedSlots& slots, std::size_t in_full, int& verified) {
    const auto wrong = find_wrong(prepared_, *case_, slots.remembered(), in_full, verified);
    slots.forget();
    if (!wrong) return true;
    if (wrong->compared.mismatch) verdict_.mismatches.push_back(*wrong->compared.mismatch);
    verdict_.cheated = verdict_.cheated || !wrong->weak;
    return fail(Reason::wrong_when_timed, "right when checked, wrong when timed", wrong->compared.detail);
  }

  bool slot_wrong(const SlotFault& fault) {
    verdict_.cheated = true;  // the same kernel kept to it when it was checked
    return fail(fault.reason, fault.detail);
  }

  bool clocks_agree(const Evidence& evidence) {
    if (evidence.dispute == Dispute::none) return true;
    verdict_.cheated = true;
    return fail(Reason::timing_disputed,
                fmt::format("the clocks disagree ({}): {}", to_string(evidence.dispute), evidence.detail));
  }

  bool ran_while_paused() {
    verdict_.cheated = true;
    return fail(Reason::timing_disputed, "it computed while its baseline was timed, and was to be still");
  }

  bool plausible(const Duration& cold) {
    const double bytes = task_.bytes.evaluate(definition().sizes);
    const double floor = physics_floor(ceilings_, bytes, prepared_.backend().theoretical_bandwidth());
    if (cold.median > 0 && cold.median >= floor) {
      flag_operations(cold.median);
      return true;
    }
    verdict_.cheated = true;
    return fail(Reason::implausible,
                fmt::format("{:.1f} µs a call, less than the {:.1f} µs that {:.0f} bytes need to move at all",
                            cold.median * 1e6, floor * 1e6, bytes));
  }

  /// Algebra may beat a count of operations, so this only flags: nothing else here is a suspicion and yet
  /// lets a kernel pass.
  void flag_operations(double seconds) {
    const double peak =
        ceilings_.fastest_for(task_.tensors().empty() ? DType::float32 : task_.tensors().front()->dtype);
    const double operations = task_.operations.evaluate(definition().sizes);
    if (peak > 0 && operations / seconds > 1.5 * peak)
      verdict_.flags.push_back(
          fmt::format("{}: operations over peak ({:.1f}x)", case_text(), operations / seconds / peak));
  }

  /// Comes after all that counts: a candidate that cannot bear to be captured may end, and is then none the
  /// worse for it.
  void replay(const std::vector<PreparedCase*>& timed, Timing& timing) {
    std::string why;
    for (std::size_t i = timed.size(); i-- > 0 && why.empty();)
      why = advisory_.replay(*timed[i], timing.cases[i], /*mapped=*/i + 1 == timed.size());
    if (!why.empty())
      verdict_.notes.push_back(fmt::format("its calls could not be replayed as a graph: {}", why));
  }

  static bool good(const RunnerAnswer& answer) {
    const auto* reply = std::get_if<Reply>(&answer);
    return reply && reply->answer == Answer::ok;
  }

  bool over(const RunnerAnswer& answer) {
    auto& stage = verdict_.at(Stage::timing);
    if (const auto* reply = std::get_if<Reply>(&answer)) {
      stage = explain_refusal(*reply, runner_.interpreter());
    } else {
      ended_ = std::get<RunnerEnd>(answer);
      auto told = explain_end(*ended_, 2 * limit_for(*case_, settings_.call_limit), runner_.mapping(),
                              case_->timing_arena.get(), task_);
      told.failure.case_name = definition().name;
      told.failure.hidden = definition().hidden;
      verdict_.call_failure = told.failure;
      verdict_.cheated = verdict_.cheated || told.cheated;
      stage = told.result;
    }
    stage.detail += fmt::format(" (when timed, {})", case_text());
    return false;
  }

  bool fail(Reason reason, const std::string& detail, const std::string& seen = {}) {
    verdict_.at(Stage::timing) = {
        .status = reason == Reason::judge_failed ? Status::unavailable : Status::failed,
        .reason = reason,
        .detail = fmt::format("{} ({}){}{}", detail, case_text(), seen.empty() ? "" : ": ", seen)};
    return false;
  }

  PreparedTask& prepared_;
  const Task& task_;
  RunnerProcess& runner_;
  const Ceilings& ceilings_;
  TimingSettings settings_;
  Verdict& verdict_;
  SamplingLimits limits_;
  BusyHostSlows busy_host_slows_;
  AdvisoryTimes advisory_;
  PreparedCase* case_ = nullptr;
  SharedCore core_;
  const PreparedCase* looked_at_ = nullptr;  // whose baseline is looked at again
  bool look_at_all_ = false;                 // from here on
  std::optional<RunnerEnd> ended_;
};

}  // namespace

std::optional<RunnerEnd> time_candidate(PreparedTask& prepared, RunnerProcess& runner,
                                        const Ceilings& ceilings, const TimingSettings& settings,
                                        Verdict& verdict) {
  return TimingStage(prepared, runner, ceilings, settings, verdict).run();
}

}  // namespace ridgeline::judge
