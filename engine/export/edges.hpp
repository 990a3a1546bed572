// Finds the transitions of a trajectory: for each attempt, the evaluated candidate that its prompt asked to
// change.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/export/transition.hpp"
#include "engine/store/reader.hpp"

namespace ridgeline::exporting {

/// A trajectory with its records.
struct ExportedTrajectory {
  store::CampaignRecord campaign;
  store::TrajectoryRecord record;
  std::vector<store::AttemptRecord> attempts;  ///< ordered by step and slot
  int copied_steps = 0;  ///< steps that a branch copied; they are exported with the original campaign

  /// Whether the attempt is one of the copied steps.
  bool is_copy(const store::AttemptRecord& attempt) const { return attempt.ask.step < copied_steps; }
};

/// A pair of attempts, parent and child, and what changed between them.
struct Edge {
  const store::AttemptRecord* before = nullptr;  ///< in the trajectory's attempts
  const store::AttemptRecord* after = nullptr;
  Transition transition;
};

/// All transitions of a trajectory.
struct Edges {
  std::vector<Edge> edges;              ///< in the order of `after`
  std::map<std::string, int> left_out;  ///< reason → attempts that changed a candidate and give no transition
};

/// Whether the attempt has a candidate with a verdict, whatever the verdict says: the machine may have
/// failed.
bool was_evaluated(const store::AttemptRecord& attempt);
/// Whether the attempt has a candidate that was judged (Verdict::judged).
bool is_judged(const store::AttemptRecord& attempt);

/// Finds the transitions; leaves out copied steps, critics and attempts that changed no candidate.
/// `confidence` is that of classify().
Edges edges_of(const ExportedTrajectory& trajectory, double confidence = 0.95);

}  // namespace ridgeline::exporting
