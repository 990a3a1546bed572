// What happened in a store, for people. Pure.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/store/reader.hpp"

namespace ridgeline::cli {

/// What the list of trajectories says of one beyond its record.
struct Standing {
  int evaluations = 0;
  int correct = 0;
  double speedup = 0;  ///< the best of a correct candidate; 0 if none was timed
};

/// A campaign's line and a table of its trajectories.
std::string campaign_text(const store::CampaignRecord& campaign,
                          const std::vector<store::TrajectoryRecord>& trajectories,
                          const std::map<store::Id, store::Totals>& totals,
                          const std::map<store::Id, Standing>& standings);

/// The source of a candidate by its hash; "" if it is not known.
using SourceOf = std::function<std::string(const Hash&)>;

/// Round by round: what was asked, what came back, its verdict, and its difference from what was to change.
std::string trajectory_text(const store::TrajectoryRecord& trajectory,
                            const std::vector<store::AttemptRecord>& attempts, const SourceOf& source_of);

/// "3.0": as `--prompt` takes it.
std::string address_of(const store::AskRecord& ask);

/// The messages exactly as they were sent, each under a line with its role.
std::string prompt_text(const store::AskRecord& ask);

}  // namespace ridgeline::cli
