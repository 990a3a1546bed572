// Decides what to do with a verdict that says nothing about its candidate because the machine failed. Pure:
// takes verdicts, returns decisions.
//
// An unsupported request pauses the campaign at once. A task that is rejected or does not fit the machine's
// memory fails its trajectory at once. Any other failure (a lost worker, no device) is repeated after a
// pause. If all tries fail while other candidates are judged, the candidate causes the failure: it is
// recorded as not judged, and the strategy goes on without it. If no other candidate is judged meanwhile, the
// machine has to prove the task without a candidate. If it can, the candidate is at fault all the same. If
// not, the campaign pauses, nothing is recorded, and a resume evaluates again.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "engine/core/verdict.hpp"

namespace ridgeline::campaign {

/// Record the verdict as it is, even if it judged nothing.
struct Keep {};
/// Evaluate the candidate again after a pause.
struct RepeatAfter {
  double seconds = 0;
};
/// Pause the campaign.
struct MachineFails {
  std::string reason;
};
/// Find out by Evaluator::prove whether candidate or machine failed. If it reports a problem, pause the
/// campaign for `reason`; otherwise record the verdict.
struct ProveMachine {
  std::string reason;
};
/// Fail the trajectory: no kernel can be judged on this task.
struct TaskFails {
  std::string reason;
};
using VerdictUse = std::variant<Keep, RepeatAfter, MachineFails, ProveMachine, TaskFails>;

/// Shared by all trajectories of a campaign; its thread only.
class JudgeHealth {
 public:
  static constexpr int kTries = 3;

  /// `tries` counts the evaluations of this candidate in a row, this one included. `judged_before` is what
  /// `judged()` returned before the first of them.
  VerdictUse decide(const Verdict& verdict, int tries, std::int64_t judged_before);

  /// Returns how many verdicts so far said something about a candidate.
  std::int64_t judged() const { return judged_; }

 private:
  std::int64_t judged_ = 0;
};

}  // namespace ridgeline::campaign
