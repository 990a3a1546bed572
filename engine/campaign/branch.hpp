// `run --fork`: goes on with a campaign although requests that its journal holds no longer match, because a
// template, a preset, the machine or Ridgeline itself changed.
//
// A branch is a campaign of its own that names its origin; so do its trajectories. Each begins with a copy of
// the steps that still match and goes on anew from the first one that does not. The origin stays as it is.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/enroll.hpp"
#include "engine/campaign/trajectory.hpp"
#include "engine/store/journal.hpp"

namespace ridgeline::campaign {

/// How much of a journal a strategy would walk again.
struct Fit {
  int recorded = 0;  ///< steps that the journal holds
  int kept = 0;      ///< of them the first ones whose requests are all made again, and are the same
  int recorded_events = 0;
  int kept_events = 0;  ///< those followed with the steps that are kept
};

/// Runs `strategy` over the journal as a resume would, asks and evaluates nothing, and writes nothing. Keeps
/// at most `most_kept` steps.
Fit fit_of(const Services& services, const store::TrajectoryRecord& trajectory,
           std::shared_ptr<const Task> task, const strategies::StrategyFunction& strategy,
           RecordedWalk recorded, std::optional<int> most_kept);

/// As `enroll` where every record still fits; else makes the branch and enrols in that. A recorded trajectory
/// is found by task, strategy label, model and seed: its settings may have changed. `log` is told of a
/// branch.
Enrolled enroll_or_branch(const Services& services, const Plan& plan, const store::Reader& reader,
                          const std::function<void(const std::string&)>& log);

}  // namespace ridgeline::campaign
