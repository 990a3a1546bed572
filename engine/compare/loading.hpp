// From a store to walks.
#pragma once

#include <vector>

#include "engine/compare/walk.hpp"

namespace ridgeline::store {
class Reader;
struct AttemptRecord;
struct TrajectoryRecord;
}  // namespace ridgeline::store

namespace ridgeline::compare {

/// Calls that reached no model (budget refusals, missing recordings) are left out, as in store::Totals.
Walk walk_of(const store::TrajectoryRecord& trajectory, const std::vector<store::AttemptRecord>& attempts);

/// All trajectories that began, in plan order; reads one at a time, since each carries its raw exchange.
std::vector<Walk> load_walks(const store::Reader& reader);

}  // namespace ridgeline::compare
