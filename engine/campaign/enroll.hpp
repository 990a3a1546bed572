// Enrols a plan in the store: finds the campaign and its trajectories there, or creates them.
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

/// A plan as the store has it. The three lists run in parallel, in the order of the plan.
struct Enrolled {
  store::CampaignRecord campaign;
  std::vector<store::TrajectoryRecord> trajectories;
  std::vector<std::size_t> tasks;  ///< index of each trajectory's task in the plan
  std::vector<bool> known;         ///< whether a trajectory was in the store, and may have a journal
};

/// Finds the plan's records by task name, strategy label and seed, and creates those that are missing. A file
/// that gained tasks, strategies or seeds therefore goes on with what there is. A trajectory without recorded
/// steps takes new settings. Throws BadInput if one with recorded steps ran under another identity
/// (identity.hpp); the message names each setting that differs, as old → new.
Enrolled enroll(const Plan& plan, const CampaignConfig& config, const Conditions& conditions,
                const store::Reader& reader, store::Writer& writer, store::Milliseconds now);

/// Returns the campaign that `name` stands for in the store; nullopt if there is none.
std::optional<store::CampaignRecord> newest_branch(const store::Reader& reader, const std::string& name);

// These make the plan's records, without ids.
store::CampaignRecord campaign_record(const Plan& plan, const CampaignConfig& config,
                                      const Conditions& conditions, store::Milliseconds now);
std::vector<store::TaskRecord> task_records(const Plan& plan);
std::vector<store::TrajectoryRecord> trajectory_records(const Plan& plan, const CampaignConfig& config,
                                                        const Conditions& conditions);

/// Returns whether both have the same task name, strategy label and seed.
bool at_same_place(const store::TrajectoryRecord& left, const store::TrajectoryRecord& right);
/// Returns whether both would make the same requests. Records of stores before version 9 have no identity:
/// the task, the strategy's settings and the model's name stand in for it.
bool has_same_identity(const store::TrajectoryRecord& left, const store::TrajectoryRecord& right);

}  // namespace ridgeline::campaign
