// What a campaign would do: its trajectories and the upper bound of what they can spend.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/selection.hpp"

namespace ridgeline::campaign {

struct PlannedTrajectory {
  std::size_t task = 0;      ///< index into Plan::tasks
  std::size_t strategy = 0;  ///< index into CampaignConfig::strategies
  std::uint64_t seed = 0;

  /// "task/strategy/seed": the address of the trajectory within the campaign, stable over resumes.
  std::string address(const std::vector<Task>& tasks, const CampaignConfig& config) const;
};

struct UpperBound {
  std::int64_t calls = 0;
  std::int64_t evaluations = 0;
  /// Calls times the largest max_output_tokens of the models that their strategies may ask.
  std::int64_t output_tokens = 0;
  std::optional<double>
      usd;  ///< of the output alone, at the dearest of these; nullopt where one has no price
  /// One line for each cap of `budget.total` that may end the campaign early; empty if none can.
  std::vector<std::string> cuts;
};

struct Plan {
  std::vector<Task> tasks;
  std::vector<store::SuiteTaskRecord> suite;    ///< see Selection
  std::vector<PlannedTrajectory> trajectories;  ///< tasks outermost, then seeds, then strategies
  UpperBound bound;
};

/// Throws BadInput when the filter leaves no task, or none that can be judged, and where a cap on tokens or
/// money is below what a single call may take, so that nothing could ever be asked.
Plan make_plan(const CampaignConfig& config, Selection selection);

/// The plan as a page for people.
std::string describe(const Plan& plan, const CampaignConfig& config);

}  // namespace ridgeline::campaign
