// What the timing of each case says in the verdict: why a time does not count, whose fault that is, and what
// people should know beside it.
#pragma once

#include <string>

#include "engine/core/roofline.hpp"
#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"
#include "engine/worker/judge/timing/wrong_call.hpp"

namespace ridgeline::judge {

class TimingRecord {
 public:
  /// Both outlive it.
  TimingRecord(const Task& task, Verdict& verdict) : task_(task), verdict_(verdict) {}

  /// Where what follows happens; it outlives the next such call.
  void at(const Case& one) { case_ = &one; }

  void note(const std::string& about);
  void not_replayed(const std::string& why);

  /// The stage failed by what the candidate did.
  void wrong(const SlotFault& fault);
  void wrong(const WrongCall& call);
  void ran_while_paused();
  /// The candidate did not do the call.
  void refused(StageResult result);
  /// The runner is over.
  void ended(CallEnd told);
  /// It did not: there is no time, for a reason of the judge's.
  void no_time(const std::string& why);

  /// False: the stage failed.
  bool clocks_agree(const Evidence& evidence);
  /// A time that the machine allows. `bandwidth`: bytes a second that no honest kernel exceeds.
  bool plausible(double seconds, const Ceilings& ceilings, double bandwidth);

  /// Of all cases. What did not fail has passed.
  void finish(Timing timing);

 private:
  std::string case_text() const;
  void fail(Reason reason, const std::string& detail, const std::string& seen = {});
  void flag_operations(double seconds, const Ceilings& ceilings);

  const Task& task_;
  Verdict& verdict_;
  const Case* case_ = nullptr;
};

}  // namespace ridgeline::judge
