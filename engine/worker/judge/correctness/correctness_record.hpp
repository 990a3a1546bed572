// Writes the results of a correctness check into a verdict. The first cause counts. Details do not name
// hidden cases; mismatches, errors and the call's failure do. `final` cases decide nothing.
#pragma once

#include <optional>
#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/verifier/compare.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"

namespace ridgeline::judge {

/// Records the results of cases in the order in which they are checked.
class CorrectnessRecord {
 public:
  /// `verdict` must outlive the record.
  explicit CorrectnessRecord(Verdict& verdict) : verdict_(verdict) {}

  /// Sets the place of the results that follow; the case must outlive the next such call.
  void at(const Case& task_case) { case_ = &task_case; }
  void at(InputSet set) { set_ = set; }

  /// Returns whether a failure of correctness is recorded, whatever its reason. A runner that ends after it
  /// does not change why the candidate failed.
  bool first_cause_known() const { return verdict_.at(Stage::correctness).status == Status::failed; }
  /// Returns the place, to be appended to a detail; the verifier's details name it themselves.
  std::string place() const;

  /// Records that the runner ended during a call. In a `final` case it records the case's failure alone.
  void ended(CallEnd end);
  /// Records that the candidate refused or failed the call. In a `final` case it records the case's failure
  /// alone.
  void refused(StageResult result);
  /// Records a wrong result, and its mismatch if there are fewer than three. In a `final` case it records
  /// nothing: the caller calls final_failed() once for the case.
  void failed(Reason reason, const std::string& detail, const std::optional<Mismatch>& mismatch);
  /// Records that the present `final` case failed.
  void final_failed() { verdict_.final_failures.push_back(case_->name); }
  /// Records the errors of a compared result.
  void figures(const verifier::Comparison& compared);
  /// Call it after all cases. Stages without a failure become passed; if the call failed, correctness was not
  /// reached.
  void finish();

 private:
  void set_call(StageResult result);

  Verdict& verdict_;
  const Case* case_ = nullptr;
  InputSet set_ = InputSet::standard;
};

}  // namespace ridgeline::judge
