// A trajectory's transitions: for each attempt, the evaluated candidate that its prompt asked to change.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/export/transition.hpp"
#include "engine/store/reader.hpp"

namespace ridgeline::exporting {

/// A trajectory with what came of it.
struct Walk {
  store::CampaignRecord campaign;
  store::TrajectoryRecord trajectory;
  std::vector<store::AttemptRecord> attempts;  ///< ordered by step and slot
  int copied_steps = 0;  ///< its first ones, of a branch: they are exported with its origin

  bool is_copy(const store::AttemptRecord& attempt) const { return attempt.ask.step < copied_steps; }
};

struct Edge {
  const store::AttemptRecord* before = nullptr;  ///< in the walk
  const store::AttemptRecord* after = nullptr;
  Transition transition;
};

struct Edges {
  std::vector<Edge> edges;              ///< in the order of `after`
  std::map<std::string, int> left_out;  ///< reason → attempts that changed something and give no transition
};

/// The candidate is there, and its evaluation came to an end: a verdict, or none because the machine failed.
bool was_evaluated(const store::AttemptRecord& attempt);
/// The candidate is there, and there is a verdict of it.
bool is_judged(const store::AttemptRecord& attempt);

Edges edges_of(const Walk& walk);

}  // namespace ridgeline::exporting
