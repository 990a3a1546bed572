// From a store to walks.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/compare/kernelbench.hpp"
#include "engine/compare/walk.hpp"
#include "engine/store/records.hpp"

namespace ridgeline::store {
class Reader;
struct AttemptRecord;
}  // namespace ridgeline::store

namespace ridgeline::compare {

/// Speed-ups of torch.compile over eager by mode, geometric means over cases, of each task and device.
using CompiledSpeedups = std::map<std::pair<Hash, std::string>, std::map<std::string, double>>;
CompiledSpeedups compiled_speedups(const std::vector<store::BaselineRecord>& baselines);

/// Calls that reached no model (budget refusals, missing recordings) are left out, as in store::Totals.
Walk walk_of(const store::TrajectoryRecord& trajectory, const std::vector<store::AttemptRecord>& attempts,
             const CompiledSpeedups& compiled = {});

/// All but those that a branch continues: the branch holds what still counts of them.
std::vector<store::CampaignRecord> compared_campaigns(const store::Reader& reader);

/// What the campaign knew of the suite that it chose its tasks from; empty for a suite of ours.
std::vector<SuiteTask> load_suite_tasks(const store::Reader& reader, store::Id campaign);

/// Adds what is new. Of a file that two campaigns know, the first that was checked says what it is.
void join(std::vector<SuiteTask>& suite, std::vector<SuiteTask> more);

/// Its trajectories that began, in plan order; reads one at a time, since each carries its raw exchange.
std::vector<Walk> load_walks(const store::Reader& reader, store::Id campaign);

}  // namespace ridgeline::compare
