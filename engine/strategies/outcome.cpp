#include "engine/strategies/outcome.hpp"

#include <algorithm>

namespace ridgeline::strategies {
namespace {

Outcome outcome_of(const Verdict& verdict) {
  if (verdict.correct()) return Outcome::correct;
  return verdict.judged() ? Outcome::incorrect : Outcome::unjudged;
}

}  // namespace

Outcome outcome_of(const Attempt& attempt) {
  if (attempt.out_of_budget()) return Outcome::out_of_budget;
  switch (attempt.answer.status) {
    case AnswerStatus::no_code:
    case AnswerStatus::diff_failed:
      return Outcome::no_kernel;
    case AnswerStatus::kernel:
      return outcome_of(attempt.evaluated->verdict);
    default:
      return Outcome::no_answer;
  }
}

bool any_out_of_budget(std::span<const Attempt> attempts) {
  return std::any_of(attempts.begin(), attempts.end(),
                     [](const Attempt& one) { return one.out_of_budget(); });
}

}  // namespace ridgeline::strategies
