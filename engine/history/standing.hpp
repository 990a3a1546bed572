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
  int not_judged = 0;  ///< of them: the machine failed, and nothing is known of the candidate
  int correct = 0;
  double speedup = 0;                       ///< the best of a correct candidate; 0 if none was timed
  std::optional<store::AttemptBrief> last;  ///< what came of the candidate that was made or judged last
};

/// `briefs` of one trajectory.
Standing standing_of(std::span<const store::AttemptBrief> briefs);

/// Why trajectories that began have not finished, the most frequent reason first: "incomplete: 3 (2 running,
/// 1 the cap total.usd was reached)"; "" where all have.
std::string incomplete_line(const std::vector<store::TrajectoryRecord>& trajectories);

/// Of `briefs` sorted by trajectory. Trajectories without a step are left out.
std::map<store::Id, std::span<const store::AttemptBrief>> by_trajectory(
    const std::vector<store::AttemptBrief>& briefs);

/// "correct, 1.31x", "correctness: wrong_values", "no_code", "being judged", "not judged: worker_lost".
std::string brief_line(const store::AttemptBrief& brief);

}  // namespace ridgeline::history
