// A plan in the store: the campaign and its trajectories, found or made.
//
// A campaign's name stands for its newest branch (branch.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/identity.hpp"
#include "engine/campaign/plan.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/writer.hpp"

namespace ridgeline::campaign {

struct Enrolled {
  store::CampaignRecord campaign;
  std::vector<store::TrajectoryRecord> trajectories;  ///< in plan order
  std::vector<std::size_t> tasks;                     ///< index into the plan's tasks, one a trajectory
  std::vector<bool> known;  ///< one a trajectory: it was in the store, and may have a journal
};

/// Finds or makes them. A trajectory is found by task name, strategy label and seed, so a file that gained
/// tasks, strategies or seeds goes on with what there is and adds the rest. Throws BadInput, naming each
/// setting that differs as old → new, where one that is found was run under another identity (identity.hpp)
/// and something of it is recorded; one without a record takes the new settings.
Enrolled enroll(const Plan& plan, const CampaignConfig& config, const Conditions& conditions,
                const store::Reader& reader, store::Writer& writer, store::Milliseconds now);

/// What `name` stands for in the store; nullopt if nothing.
std::optional<store::CampaignRecord> newest_branch(const store::Reader& reader, const std::string& name);

// The plan as records without ids.
store::CampaignRecord campaign_record(const Plan& plan, const CampaignConfig& config,
                                      const Conditions& conditions, store::Milliseconds now);
std::vector<store::TaskRecord> task_records(const Plan& plan);
std::vector<store::TrajectoryRecord> trajectory_records(const Plan& plan, const CampaignConfig& config,
                                                        const Conditions& conditions);

/// Both stand at the same place of a plan: task, strategy label and seed.
bool at_same_place(const store::TrajectoryRecord& one, const store::TrajectoryRecord& other);
/// Both would walk the same way. Records of stores before version 9 have no identity: task, strategy's
/// settings and the model's name stand in.
bool is_same(const store::TrajectoryRecord& one, const store::TrajectoryRecord& other);

}  // namespace ridgeline::campaign
