// What a walk through the cases says in its verdict: the first cause counts, what hidden cases show is not
// told apart, and what final ones do gates nothing.
#pragma once

#include <optional>
#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/verifier/compare.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"

namespace ridgeline::judge {

class CorrectnessRecord {
 public:
  /// `verdict` outlives it.
  explicit CorrectnessRecord(Verdict& verdict) : verdict_(verdict) {}

  /// Where what follows happens; both outlive the next such call.
  void at(const Case& one) { case_ = &one; }
  void at(InputSet set) { set_ = set; }

  /// Wrong values were seen: what ends the runner after them is not why the candidate failed.
  bool first_cause_known() const { return verdict_.at(Stage::correctness).status == Status::failed; }
  /// For the end of a detail; what the verifier says names the place itself.
  std::string place() const;

  /// The runner is over.
  void ended(CallEnd told);
  /// The candidate did not do the call.
  void refused(StageResult result);
  void failed(Reason reason, const std::string& detail, const std::optional<Mismatch>& mismatch);
  void final_failed() { verdict_.final_failures.push_back(case_->name); }
  void figures(const verifier::Comparison& compared);
  /// Of all cases: whatever did not fail has passed.
  void finish();

 private:
  void set_call(StageResult result);

  Verdict& verdict_;
  const Case* case_ = nullptr;
  InputSet set_ = InputSet::standard;
};

}  // namespace ridgeline::judge
