// A plan in the store: the campaign and its trajectories, found or made.
//
// A campaign's name stands for its newest branch (branch.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/plan.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/writer.hpp"
#include "prompts/templates.hpp"

namespace ridgeline::campaign {

struct Enrolled {
  store::CampaignRecord campaign;
  std::vector<store::TrajectoryRecord> trajectories;  ///< in plan order
  std::vector<std::size_t> tasks;                     ///< index into the plan's tasks, one a trajectory
  std::vector<bool> known;  ///< one a trajectory: it was in the store, and may have a journal
};

/// Finds or makes them. Trajectories are known by task, strategy label and settings, model and seed, so a
/// file that gained tasks or seeds goes on with what there is and adds the rest.
Enrolled enroll(const Plan& plan, const CampaignConfig& config, const prompts::Templates& templates,
                const store::Reader& reader, store::Writer& writer, store::Milliseconds now);

/// What `name` stands for in the store; nullopt if nothing.
std::optional<store::CampaignRecord> newest_branch(const store::Reader& reader, const std::string& name);

// The plan as records without ids.
store::CampaignRecord campaign_record(const Plan& plan, const CampaignConfig& config,
                                      const prompts::Templates& templates, store::Milliseconds now);
std::vector<store::TaskRecord> task_records(const Plan& plan);
std::vector<store::TrajectoryRecord> trajectory_records(const Plan& plan, const CampaignConfig& config);

/// Both stand for the same trajectory of a plan.
bool is_same(const store::TrajectoryRecord& one, const store::TrajectoryRecord& other);

}  // namespace ridgeline::campaign
