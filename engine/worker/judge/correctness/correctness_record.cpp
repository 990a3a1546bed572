#include "engine/worker/judge/correctness/correctness_record.hpp"

#include <fmt/format.h>

#include <utility>

namespace ridgeline::judge {

namespace {
constexpr std::size_t kMostMismatches = 3;  // recorded in a verdict
}  // namespace

std::string CorrectnessRecord::place() const {
  return fmt::format(" ({}, {} inputs)", case_->hidden ? "an unseen case" : "case " + case_->name,
                     to_string(set_));
}

void CorrectnessRecord::set_call(StageResult result) {
  result.detail += place();
  verdict_.at(Stage::call) = std::move(result);
}

void CorrectnessRecord::ended(CallEnd end) {
  if (first_cause_known()) return;
  if (case_->final) return final_failed();
  end.failure.case_name = case_->name;
  end.failure.hidden = case_->hidden;
  end.failure.input_set = set_;
  set_call(std::move(end.result));
  verdict_.call_failure = std::move(end.failure);
  verdict_.cheated = verdict_.cheated || end.cheated;
}

void CorrectnessRecord::refused(StageResult result) {
  if (first_cause_known()) return;
  if (case_->final) return final_failed();
  set_call(std::move(result));
}

void CorrectnessRecord::failed(Reason reason, const std::string& detail,
                               const std::optional<Mismatch>& mismatch) {
  if (case_->final) return;
  if (!first_cause_known()) {
    auto& stage = verdict_.at(Stage::correctness);
    stage.status = Status::failed;
    stage.reason = reason;
    stage.detail = detail;
    verdict_.cheated = verdict_.cheated || reason == Reason::input_modified;
  }
  if (mismatch && verdict_.mismatches.size() < kMostMismatches) verdict_.mismatches.push_back(*mismatch);
}

void CorrectnessRecord::figures(const verifier::Comparison& compared) {
  if (case_->final) return;
  verdict_.errors.insert(verdict_.errors.end(), compared.errors.begin(), compared.errors.end());
  verdict_.quantization.insert(verdict_.quantization.end(), compared.quantization.begin(),
                               compared.quantization.end());
}

void CorrectnessRecord::finish() {
  auto& call = verdict_.at(Stage::call);
  if (call.status == Status::not_reached) call.status = Status::passed;
  auto& correctness = verdict_.at(Stage::correctness);
  if (call.status == Status::passed && correctness.status == Status::not_reached)
    correctness.status = Status::passed;
  // Without a successful call, correctness was not reached.
  if (call.status != Status::passed) correctness = {};
}

}  // namespace ridgeline::judge
