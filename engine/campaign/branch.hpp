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

/// Says how much of a recorded trajectory a branch can copy.
struct ReplayFit {
  int recorded_steps = 0;   ///< in the journal
  int kept_steps = 0;       ///< leading steps whose requests the strategy makes again, all of them unchanged
  int recorded_events = 0;  ///< effect events in the journal
  int kept_events = 0;      ///< events that belong to the kept steps
};

/// Runs `strategy` over the journal as a resume would. Sends nothing to a model or a judge and writes
/// nothing. Keeps at most `most_kept` steps.
ReplayFit replay_fit(const Services& services, const store::TrajectoryRecord& trajectory,
                     std::shared_ptr<const Task> task, const strategies::StrategyFunction& strategy,
                     RecordedTrajectory recorded, std::optional<int> most_kept);

/// Does what `enroll` does if every recorded step still fits. Otherwise creates a branch, enrols in it and
/// logs a line. Matches recorded trajectories with planned ones by task, strategy label, model and seed,
/// since their settings may have changed. Throws BadInput if a prompt cannot be rendered; nothing is created
/// then.
Enrolled enroll_or_branch(const Services& services, const Plan& plan, const store::Reader& reader,
                          const std::function<void(const std::string&)>& log);

}  // namespace ridgeline::campaign
