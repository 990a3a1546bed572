#include "engine/strategies/chain.hpp"

#include "engine/strategies/attempt_outcome.hpp"

namespace ridgeline::strategies {

void Chain::learn(const Attempt& attempt) {
  switch (outcome_of(attempt)) {
    case AttemptOutcome::correct:
    case AttemptOutcome::incorrect:
      if (latest_) earlier_.push_back(latest_);
      if (earlier_.size() > history_) earlier_.erase(earlier_.begin());
      latest_ = attempt.evaluated;
      answer_without_kernel_.reset();
      return;
    case AttemptOutcome::no_kernel:
      answer_without_kernel_ = attempt.answer;
      return;
    default:
      // An outage. The model must still hear in the next prompt why its last answer held no kernel.
      return;
  }
}

}  // namespace ridgeline::strategies
