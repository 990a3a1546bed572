#include "engine/worker/judge/timing/timing_record.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/core/timing.hpp"

namespace ridgeline::judge {

std::string TimingRecord::case_text() const {
  return case_->hidden ? std::string("an unseen case") : "case " + case_->name;
}

void TimingRecord::fail(Reason reason, const std::string& detail, const std::string& seen) {
  verdict_.at(Stage::timing) = {
      .status = reason == Reason::judge_failed ? Status::unavailable : Status::failed,
      .reason = reason,
      .detail = fmt::format("{} ({}){}{}", detail, case_text(), seen.empty() ? "" : ": ", seen)};
}

void TimingRecord::note(const std::string& about) {
  verdict_.notes.push_back(fmt::format("{}: {}", case_text(), about));
}

void TimingRecord::not_replayed(const std::string& why) {
  verdict_.notes.push_back(fmt::format("its calls could not be replayed as a graph: {}", why));
}

void TimingRecord::wrong(const SlotFault& fault) {
  verdict_.cheated = true;  // the same kernel kept to it when it was checked
  fail(fault.reason, fault.detail);
}

void TimingRecord::wrong(const WrongCall& call) {
  if (call.compared.mismatch) verdict_.mismatches.push_back(*call.compared.mismatch);
  verdict_.cheated = verdict_.cheated || !call.weak;
  fail(Reason::wrong_when_timed, "right when checked, wrong when timed", call.compared.detail);
}

void TimingRecord::ran_while_paused() {
  verdict_.cheated = true;
  fail(Reason::timing_disputed, "it computed while its baseline was timed, and was to be still");
}

void TimingRecord::refused(StageResult result) {
  result.detail += fmt::format(" (when timed, {})", case_text());
  verdict_.at(Stage::timing) = std::move(result);
}

void TimingRecord::ended(CallEnd told) {
  told.failure.case_name = case_->name;
  told.failure.hidden = case_->hidden;
  verdict_.call_failure = std::move(told.failure);
  verdict_.cheated = verdict_.cheated || told.cheated;
  refused(std::move(told.result));
}

void TimingRecord::no_time(const std::string& why) {
  fail(Reason::judge_failed, why);
}

bool TimingRecord::clocks_agree(const Evidence& evidence) {
  if (evidence.dispute == Dispute::none) return true;
  verdict_.cheated = true;
  fail(Reason::timing_disputed,
       fmt::format("the clocks disagree ({}): {}", to_string(evidence.dispute), evidence.detail));
  return false;
}

bool TimingRecord::plausible(double seconds, const Ceilings& ceilings, double bandwidth) {
  const double bytes = task_.bytes.evaluate(case_->sizes);
  const double floor = physics_floor(ceilings, bytes, bandwidth);
  if (seconds > 0 && seconds >= floor) {
    flag_operations(seconds, ceilings);
    return true;
  }
  verdict_.cheated = true;
  fail(Reason::implausible,
       fmt::format("{:.1f} µs a call, less than the {:.1f} µs that {:.0f} bytes need to move at all",
                   seconds * 1e6, floor * 1e6, bytes));
  return false;
}

/// Algebra may beat a count of operations, so this only flags: nothing else here is a suspicion and yet lets
/// a kernel pass.
void TimingRecord::flag_operations(double seconds, const Ceilings& ceilings) {
  const double peak =
      ceilings.fastest_for(task_.tensors().empty() ? DType::float32 : task_.tensors().front()->dtype);
  const double operations = task_.operations.evaluate(case_->sizes);
  if (peak > 0 && operations / seconds > 1.5 * peak)
    verdict_.flags.push_back(
        fmt::format("{}: operations over peak ({:.1f}x)", case_text(), operations / seconds / peak));
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
