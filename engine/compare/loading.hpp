// Reads a store into trajectories that can be compared.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/compare/settings.hpp"
#include "engine/compare/suite_score.hpp"
#include "engine/compare/trajectory.hpp"
#include "engine/store/records.hpp"

namespace ridgeline::store {
class Reader;
struct AttemptFigures;
}  // namespace ridgeline::store

namespace ridgeline::compare {

/// Speed-ups of torch.compile over eager PyTorch by mode, for each (task, device): geometric means over
/// cases.
using CompiledSpeedups = std::map<std::pair<Hash, std::string>, std::map<std::string, double>>;
/// Computes them from a store's baselines; those without a time are left out.
CompiledSpeedups compiled_speedups(const std::vector<store::BaselineRecord>& baselines);

/// Makes the compared trajectory from its record and the figures of its attempts, a point for each attempt.
/// Calls that reached no model (budget refusals, missing recordings, requests cancelled before they were
/// sent) count nowhere, as in store::Totals: they are no point, unless their candidate was evaluated all the
/// same. Rooflines stay in the store.
ComparedTrajectory compared_trajectory_of(const store::TrajectoryRecord& trajectory,
                                          std::span<const store::AttemptFigures> attempts,
                                          const CompiledSpeedups& compiled = {});

/// Names a campaign, equally in a store and in a copy of it.
std::string place_of(const store::CampaignRecord& campaign);

/// Returns each store's campaigns except those that another branched from, in whichever of the stores: the
/// branch contains what still counts of them.
std::vector<std::vector<store::CampaignRecord>> compared_campaigns(
    const std::vector<const store::Reader*>& readers);

/// Returns the tasks that the campaign chose from its suite, with their standing; empty for native tasks.
std::vector<SuiteTask> load_suite_tasks(const store::Reader& reader, store::Id campaign);

/// Adds the tasks of `more` whose file `suite` lacks. If both have it, the task of `suite` stays, unless its
/// standing is unchecked.
void join(std::vector<SuiteTask>& suite, std::vector<SuiteTask> more);

/// Adds the tasks that the campaign chose from a suite whose authors have a scoring rule, as `join` does, to
/// the suite of that name in `suites`, which it adds if it is missing. Does nothing for other suites.
void add_suite(std::vector<ScoredSuite>& suites, const store::Reader& reader,
               const store::CampaignRecord& campaign);

/// Reads the campaign's trajectories that have begun, in the order of the plan, without their prompts and raw
/// exchanges. Throws MachineCannot if the store is damaged.
std::vector<ComparedTrajectory> load_trajectories(const store::Reader& reader,
                                                  const store::CampaignRecord& campaign,
                                                  SettingsReader& settings);

}  // namespace ridgeline::compare
