// Writes into a verdict what the timing of each case came to: why a time does not count, whose fault that is,
// and remarks for people. It decides nothing: physics_check.hpp and the timing stage do. One thread.
#pragma once

#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/timing/physics_check.hpp"
#include "engine/worker/judge/timing/repeated_checks.hpp"
#include "engine/worker/judge/timing/sampled_case.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"
#include "engine/worker/judge/timing/wrong_call.hpp"

namespace ridgeline::judge {

class TimingRecord {
 public:
  /// The verdict must outlive it.
  explicit TimingRecord(Verdict& verdict) : verdict_(verdict) {}

  /// Says which case the following calls are about; it must live until the next `set_case`.
  void set_case(const Case& timed) { case_ = &timed; }

  /// Adds a note about the case, for people.
  void note(const std::string& about);
  /// Adds a note, about no case, why calls were not replayed as graphs.
  void note_not_replayed(const std::string& why);
  /// Adds a flag that the case's time holds more operations than the machine does.
  void flag(const AbovePeak& excess);

  // Each of the following fails the stage, by what the candidate did.

  /// A slot holds what no honest kernel leaves.
  void fail(const SlotFault& fault);
  /// A timed call was wrong. If it is partly wrong and `checks` look like a race, the kernel is called wrong.
  /// Else, also where no check was made, it is called dishonest, unless the call is weak.
  void fail(const WrongCall& call, const RepeatedChecks& checks);
  /// `seconds` a call are less than its bytes take.
  void fail(const BelowFloor& floor, double seconds);
  /// The clocks contradict each other, as `evidence` says.
  void fail(const Evidence& evidence);
  void fail_ran_while_paused();
  /// The runner answered an order with a refusal.
  void fail_refused(StageResult result);
  /// The runner ended.
  void fail_ended(CallEnd end);

  /// Writes what was decided about the case's time: a flag, or a failure. Returns whether the time counts.
  bool enter(const TimeDecision& decision, const SampledCase& sampled);

  /// Timing failed for a judge-side reason: the stage is unavailable, and the candidate is not to blame.
  void fail_by_judge(const std::string& why);

  /// Writes the times of all cases, and passes the stage if nothing failed it.
  void finish(Timing timing);

 private:
  std::string case_text() const;
  void write(Reason reason, const std::string& detail, const std::string& seen = {});

  Verdict& verdict_;
  const Case* case_ = nullptr;
};

}  // namespace ridgeline::judge
