// What an attempt amounts to, from a strategy's point of view.
#pragma once

#include <span>

#include "engine/core/effects.hpp"

namespace ridgeline::strategies {

enum class Outcome {
  correct,
  incorrect,     ///< judged, and the candidate is at fault
  unjudged,      ///< the machine's fault: nothing was learnt about the candidate
  no_kernel,     ///< an answer without code, or a diff that did not apply
  no_answer,     ///< the model's end failed for good, or the replay has no recording
  out_of_budget  ///< the strategy ends
};

Outcome outcome_of(const Attempt& attempt);

bool any_out_of_budget(std::span<const Attempt> attempts);

}  // namespace ridgeline::strategies
