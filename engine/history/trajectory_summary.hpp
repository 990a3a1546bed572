// Summarizes a trajectory from its attempts in brief. Pure.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/store/records.hpp"

namespace ridgeline::history {

/// Counts the results of one trajectory and names its latest informative attempt.
struct TrajectorySummary {
  int rounds = 0;       ///< the last round in which a request has ended, counted from 1
  int evaluations = 0;  ///< that ended with a verdict; cancelled and refused ones are not counted
  int not_judged = 0;   ///< those of `evaluations` whose verdict says that the machine failed
  int correct = 0;
  double speedup = 0;  ///< the best speed-up of a correct candidate; 0 if none was timed
  /// The attempt whose last result came last. Critics' prose, cancelled requests and cancelled evaluations
  /// are left out.
  std::optional<store::AttemptBrief> last;
};

/// Summarizes the attempts of one trajectory. The result keeps no reference to them.
TrajectorySummary summary_of(std::span<const store::AttemptBrief> briefs);

/// Says why trajectories that began have not finished, the most frequent reason first: "incomplete: 3 (2
/// running, 1 the cap total.usd was reached)"; "" if all have finished.
std::string incomplete_line(const std::vector<store::TrajectoryRecord>& trajectories);

/// Splits `briefs`, which are sorted by trajectory and must outlive the result: its spans lie in them.
/// Trajectories without an attempt are left out.
std::map<store::Id, std::span<const store::AttemptBrief>> by_trajectory(
    const std::vector<store::AttemptBrief>& briefs);

/// Describes an attempt: "correct, 1.31x", "correctness: wrong_values", "no_code", "being judged", "not
/// judged: worker_lost".
std::string brief_line(const store::AttemptBrief& brief);

}  // namespace ridgeline::history
