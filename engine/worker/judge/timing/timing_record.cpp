#include "engine/worker/judge/timing/timing_record.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/core/timing.hpp"

namespace ridgeline::judge {
namespace {

constexpr const char* not_side_by_side =
    "it and its baseline could not be timed side by side: the baseline's runner ended, the device was busy "
    "with something else, or the baseline's batches took no longer than empty ones";

}  // namespace

/// Names of hidden cases reach models through verdicts, so they are left out here.
std::string TimingRecord::case_text() const {
  return case_->hidden ? std::string("an unseen case") : "case " + case_->name;
}

void TimingRecord::write(Reason reason, const std::string& detail, const std::string& seen) {
  verdict_.at(Stage::timing) = {
      .status = reason == Reason::judge_failed ? Status::unavailable : Status::failed,
      .reason = reason,
      .detail = fmt::format("{} ({}){}{}", detail, case_text(), seen.empty() ? "" : ": ", seen)};
}

void TimingRecord::note(const std::string& about) {
  verdict_.notes.push_back(fmt::format("{}: {}", case_text(), about));
}

void TimingRecord::note_not_replayed(const std::string& why) {
  verdict_.notes.push_back(fmt::format("its calls could not be replayed as a graph: {}", why));
}

void TimingRecord::flag(const AbovePeak& excess) {
  verdict_.flags.push_back(case_text() + ": " + describe(excess));
}

void TimingRecord::fail(const SlotFault& fault) {
  verdict_.cheated = true;  // the same kernel did no such thing when it was checked
  write(fault.reason, fault.detail);
}

void TimingRecord::fail(const WrongCall& call, const RepeatedChecks& checks) {
  if (call.compared.mismatch) verdict_.mismatches.push_back(*call.compared.mismatch);
  if (checks.looks_like_race() && is_partly_wrong(call.compared)) {
    verdict_.run_to_run_differences = true;
    return write(
        Reason::wrong_values,
        fmt::format("wrong now and then: when it was timed, and in {} of {} calls that were checked alone "
                    "afterwards; a race, or memory that nothing wrote",
                    checks.wrong, checks.calls),
        call.compared.detail);
  }
  verdict_.cheated = verdict_.cheated || !call.weak;
  write(Reason::wrong_when_timed, "right when checked, wrong when timed", call.compared.detail);
}

void TimingRecord::fail(const BelowFloor& floor, double seconds) {
  verdict_.cheated = true;
  write(Reason::implausible,
        fmt::format("{:.1f} µs a call, less than the {:.1f} µs that {:.0f} bytes need to move at all",
                    seconds * 1e6, floor.floor * 1e6, floor.bytes));
}

void TimingRecord::fail(const Evidence& evidence) {
  verdict_.cheated = true;
  write(Reason::timing_disputed,
        fmt::format("the clocks disagree ({}): {}", to_string(evidence.dispute), evidence.detail));
}

void TimingRecord::fail_ran_while_paused() {
  verdict_.cheated = true;
  write(Reason::timing_disputed, "it computed while its baseline was timed, and was to be still");
}

void TimingRecord::fail_refused(StageResult result) {
  result.detail += fmt::format(" (when timed, {})", case_text());
  verdict_.at(Stage::timing) = std::move(result);
}

void TimingRecord::fail_ended(CallEnd end) {
  end.failure.case_name = case_->name;
  end.failure.hidden = case_->hidden;
  verdict_.call_failure = std::move(end.failure);
  verdict_.cheated = verdict_.cheated || end.cheated;
  fail_refused(std::move(end.result));
}

bool TimingRecord::enter(const TimeDecision& decision, const SampledCase& sampled) {
  if (const auto* counts = std::get_if<TimeCounts>(&decision)) {
    if (counts->flagged) flag(*counts->flagged);
    if (sampled.helped_by_others)
      verdict_.flags.push_back(case_text() +
                               ": its calls took longer alone than in batches, as if one did the "
                               "work of others");
    return true;
  }
  if (std::holds_alternative<RanWhilePaused>(decision)) fail_ran_while_paused();
  if (std::holds_alternative<NoBaseline>(decision)) fail_by_judge(not_side_by_side);
  if (std::holds_alternative<ClocksDisagree>(decision)) fail(sampled.confirmed.evidence);
  if (const auto* below = std::get_if<BelowFloor>(&decision)) fail(*below, sampled.seconds);
  return false;
}

void TimingRecord::fail_by_judge(const std::string& why) {
  write(Reason::judge_failed, why);
}

void TimingRecord::finish(Timing timing) {
  auto& stage = verdict_.at(Stage::timing);
  if (!timing.cases.empty()) {
    score(timing);
    verdict_.timing = std::move(timing);
    if (stage.status == Status::not_reached) stage.status = Status::passed;
  } else if (stage.status == Status::not_reached) {
    stage = {.status = Status::unavailable, .reason = Reason::none, .detail = "the task times no case"};
  }
}

}  // namespace ridgeline::judge
