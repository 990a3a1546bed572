// How a trajectory stands, by its steps in brief. Pure.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/store/records.hpp"

namespace ridgeline::history {

struct Standing {
  int rounds = 0;  ///< begun
  int evaluations = 0;
  int correct = 0;
  double speedup = 0;                       ///< the best of a correct candidate; 0 if none was timed
  std::optional<store::AttemptBrief> last;  ///< what came of the candidate that was made or judged last
};

/// `briefs` of one trajectory.
Standing standing_of(std::span<const store::AttemptBrief> briefs);

/// Of `briefs` sorted by trajectory. Trajectories without a step are left out.
std::map<store::Id, std::span<const store::AttemptBrief>> by_trajectory(
    const std::vector<store::AttemptBrief>& briefs);

/// "correct, 1.31x", "correctness: wrong_values", "no_code", "being judged".
std::string brief_line(const store::AttemptBrief& brief);

}  // namespace ridgeline::history
