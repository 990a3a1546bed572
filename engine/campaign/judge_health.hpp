// Decides what to do with an evaluation that the machine failed and not the candidate. Pure: fed with
// verdicts.
//
// An unsupported request pauses the campaign at once. A task that is rejected or does not fit the
// machine's memory fails its trajectory at once. Any other such evaluation (a lost worker, no device) is
// repeated after a pause. If it fails every time while other candidates are judged, the cause is bound to the
// candidate: it is recorded as not judged, and the strategy goes on without it. If nobody is judged
// meanwhile, the machine is asked to prove the task without a candidate: if it can, the candidate is at fault
// all the same; if not, the campaign pauses, nothing is recorded, and a resume evaluates again.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "engine/core/verdict.hpp"

namespace ridgeline::campaign {

struct Keep {};  ///< the verdict is recorded as it is, even if it judged nothing
struct RepeatAfter {
  double seconds = 0;
};
struct MachineFails {
  std::string reason;
};
/// Candidate or machine: Evaluator::prove decides. If it reports a problem, the machine fails for `reason`.
struct ProveMachine {
  std::string reason;
};
/// Nobody's kernel can be judged on this task.
struct TaskFails {
  std::string reason;
};
using VerdictUse = std::variant<Keep, RepeatAfter, MachineFails, ProveMachine, TaskFails>;

class JudgeHealth {
 public:
  static constexpr int kTries = 3;

  /// `tries`: how often this candidate was evaluated in a row, this time counted. `judged_before`: `judged()`
  /// when it was first tried.
  VerdictUse decide(const Verdict& verdict, int tries, std::int64_t judged_before);

  /// Verdicts so far that say something about a candidate.
  std::int64_t judged() const { return judged_; }

 private:
  std::int64_t judged_ = 0;
};

}  // namespace ridgeline::campaign
