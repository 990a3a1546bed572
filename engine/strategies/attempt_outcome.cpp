#include "engine/strategies/attempt_outcome.hpp"

#include <algorithm>

namespace ridgeline::strategies {
namespace {

AttemptOutcome outcome_of_verdict(const Verdict& verdict) {
  if (verdict.correct()) return AttemptOutcome::correct;
  return verdict.judged() ? AttemptOutcome::incorrect : AttemptOutcome::unjudged;
}

}  // namespace

AttemptOutcome outcome_of(const Attempt& attempt) {
  if (attempt.out_of_budget()) return AttemptOutcome::out_of_budget;
  switch (attempt.answer.status) {
    case AnswerStatus::no_code:
    case AnswerStatus::diff_failed:
      return AttemptOutcome::no_kernel;
    case AnswerStatus::kernel:
      return outcome_of_verdict(attempt.evaluated->verdict);
    default:
      return AttemptOutcome::no_answer;
  }
}

bool any_out_of_budget(std::span<const Attempt> attempts) {
  return std::any_of(attempts.begin(), attempts.end(),
                     [](const Attempt& attempt) { return attempt.out_of_budget(); });
}

}  // namespace ridgeline::strategies
