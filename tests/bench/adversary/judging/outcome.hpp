// Describes the outcome of one judgement in words.
#pragma once

#include <optional>
#include <string>

#include "engine/core/verdict.hpp"
#include "tests/bench/adversary/scorecard.hpp"

namespace ridgeline::bench {

struct Outcome {
  std::optional<Verdict> verdict;  ///< absent where the judge was lost
  std::string lost;                ///< why there is no verdict
  double seconds = 0;
};

/// Returns "timing wrong_when_timed", or "passed, speed-up 3.20 of at most 0.70, flag …".
std::string words_of(const Outcome& outcome, const Allowed& allowed);

/// Writes a line to stderr.
void tell(const Scored& scored);

}  // namespace ridgeline::bench
