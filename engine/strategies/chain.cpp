#include "engine/strategies/chain.hpp"

#include "engine/strategies/outcome.hpp"

namespace ridgeline::strategies {

void Chain::learn(const Attempt& attempt) {
  unread_.reset();
  switch (outcome_of(attempt)) {
    case Outcome::correct:
    case Outcome::incorrect:
      if (latest_) earlier_.push_back(latest_);
      if (earlier_.size() > history_) earlier_.erase(earlier_.begin());
      latest_ = attempt.evaluated;
      return;
    case Outcome::no_kernel:
      unread_ = attempt.answer;
      return;
    default:
      return;  // it is not the candidate's fault, and the next prompt is as if the round had not been
  }
}

}  // namespace ridgeline::strategies
