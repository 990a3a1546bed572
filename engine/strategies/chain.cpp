#include "engine/strategies/chain.hpp"

#include "engine/strategies/attempt_outcome.hpp"

namespace ridgeline::strategies {

void Chain::learn(const Attempt& attempt) {
  answer_without_kernel_.reset();
  switch (outcome_of(attempt)) {
    case AttemptOutcome::correct:
    case AttemptOutcome::incorrect:
      if (latest_) earlier_.push_back(latest_);
      if (earlier_.size() > history_) earlier_.erase(earlier_.begin());
      latest_ = attempt.evaluated;
      return;
    case AttemptOutcome::no_kernel:
      answer_without_kernel_ = attempt.answer;
      return;
    default:
      return;  // nothing was learnt about the candidate: the next prompt is the same again
  }
}

}  // namespace ridgeline::strategies
