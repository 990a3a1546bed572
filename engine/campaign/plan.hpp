// Plans a campaign: its trajectories and the upper bound of what they can spend. Pure.
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

  /// Returns the trajectory's address within the campaign, "task/strategy/seed". It is stable over resumes.
  std::string address(const std::vector<Task>& tasks, const CampaignConfig& config) const;
};

/// Bounds what a campaign can spend. Formula: calls × the largest max_output_tokens of the models that the
/// strategy may call, summed over trajectories, after the caps of the budget.
struct UpperBound {
  std::int64_t calls = 0;
  std::int64_t evaluations = 0;
  std::int64_t output_tokens = 0;
  /// USD of the output alone, at the dearest model; nullopt if a model has no price.
  std::optional<double> usd;
  /// A line for each cap of `budget.total` that may end the campaign early.
  std::vector<std::string> binding_caps;
};

struct Plan {
  std::vector<Task> tasks;
  std::vector<store::SuiteTaskRecord> suite;    ///< see Selection
  std::vector<PlannedTrajectory> trajectories;  ///< tasks outermost, then seeds, then strategies
  UpperBound bound;
};

/// Plans every task with every seed and strategy. Throws BadInput if the filter leaves no task that can be
/// judged, or if a cap on tokens or money is below what a single call may cost, so that no request could ever
/// be sent.
Plan make_plan(const CampaignConfig& config, Selection selection);

/// Returns the plan as text for people.
std::string describe(const Plan& plan, const CampaignConfig& config);

}  // namespace ridgeline::campaign
