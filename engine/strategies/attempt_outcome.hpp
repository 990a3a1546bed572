// Classifies attempts as a strategy sees them.
#pragma once

#include <span>

#include "engine/core/effects.hpp"

namespace ridgeline::strategies {

enum class AttemptOutcome {
  correct,       ///< the verdict says that the candidate is correct
  incorrect,     ///< the verdict says that the candidate fails
  unjudged,      ///< the machine failed: nothing was learnt about the candidate
  no_kernel,     ///< the answer held no code, or a diff that did not apply
  no_answer,     ///< the model failed for good, or the replay has no recording
  out_of_budget  ///< a budget refused the request or the evaluation: the strategy ends
};

AttemptOutcome outcome_of(const Attempt& attempt);

/// Returns whether a budget refused any of the attempts.
bool any_out_of_budget(std::span<const Attempt> attempts);

}  // namespace ridgeline::strategies
