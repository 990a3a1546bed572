// From a store to walks.
#pragma once

#include <vector>

#include "engine/compare/walk.hpp"
#include "engine/store/records.hpp"

namespace ridgeline::store {
class Reader;
struct AttemptRecord;
}  // namespace ridgeline::store

namespace ridgeline::compare {

/// Calls that reached no model (budget refusals, missing recordings) are left out, as in store::Totals.
Walk walk_of(const store::TrajectoryRecord& trajectory, const std::vector<store::AttemptRecord>& attempts);

/// All but those that a branch continues: the branch holds what still counts of them.
std::vector<store::CampaignRecord> compared_campaigns(const store::Reader& reader);

/// Its trajectories that began, in plan order; reads one at a time, since each carries its raw exchange.
std::vector<Walk> load_walks(const store::Reader& reader, store::Id campaign);

}  // namespace ridgeline::compare
