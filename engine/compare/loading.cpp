#include "engine/compare/loading.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/compare/compare.hpp"
#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/store/figures.hpp"
#include "engine/store/parse_document.hpp"
#include "engine/store/reader.hpp"
#include "engine/suites/registry.hpp"

namespace ridgeline::compare {
namespace {

/// Orders attempts by their trajectory alone.
struct OfTrajectory {
  bool operator()(const store::AttemptFigures& a, store::Id b) const { return a.trajectory < b; }
  bool operator()(store::Id a, const store::AttemptFigures& b) const { return a < b.trajectory; }
};

/// Returns the ceilings of the devices that the comparison's rooflines were measured on, one for each name.
std::vector<Ceilings> ceilings_of(const std::vector<const store::Reader*>& readers,
                                  const Comparison& comparison) {
  std::set<std::string> wanted;
  for (const auto& point : comparison.rooflines) wanted.insert(point.device);
  std::vector<Ceilings> ceilings;
  for (const auto* reader : readers)
    for (const auto& device : reader->devices()) {
      if (wanted.erase(device.name) == 0) continue;
      ceilings.push_back(device.ceilings);
      ceilings.back().device = device.name;  // the name in RooflinePoint::device; the profiler's may differ
    }
  return ceilings;
}

/// Returns the structures of the store's tasks; leaves out a task whose document this version cannot read.
std::map<Hash, TaskStructure> structures_of(const store::Reader& reader) {
  std::map<Hash, TaskStructure> structures;
  for (const auto& task : reader.tasks()) {
    try {
      structures.emplace(task.hash, structure_of(store::parse_document(task.document).get<Task>()));
    } catch (const std::exception&) {
      // Written by another version: its trajectories have no structure, and count everywhere else.
    }
  }
  return structures;
}

}  // namespace

CompiledSpeedups compiled_speedups(const std::vector<store::BaselineRecord>& baselines) {
  using TaskOnDevice = CompiledSpeedups::key_type;
  std::map<std::pair<TaskOnDevice, std::string>, std::vector<double>> cases;
  for (const auto& baseline : baselines)
    if (baseline.kind == store::BaselineKind::compile && baseline.cold.median > 0 && baseline.eager > 0)
      cases[{TaskOnDevice(baseline.task_hash, baseline.device), baseline.mode}].push_back(
          baseline.eager / baseline.cold.median);
  CompiledSpeedups speedups;
  for (const auto& [key, each] : cases) speedups[key.first][key.second] = geometric_mean(each);
  return speedups;
}

std::string place_of(const store::CampaignRecord& campaign) {
  return sha256_of({campaign.name, campaign.plan_hash, std::to_string(campaign.created_at)});
}

std::vector<std::vector<store::CampaignRecord>> compared_campaigns(
    const std::vector<const store::Reader*>& readers) {
  std::vector<std::vector<store::CampaignRecord>> campaigns;
  std::set<std::string> branched;  // places: a copy of the store, made before, may lack the branch
  for (const auto* reader : readers) {
    campaigns.push_back(reader->campaigns());
    std::set<store::Id> origins;
    for (const auto& campaign : campaigns.back()) origins.insert(campaign.origin);
    for (const auto& campaign : campaigns.back())
      if (origins.contains(campaign.id)) branched.insert(place_of(campaign));
  }
  for (auto& of_store : campaigns)
    std::erase_if(of_store, [&](const auto& campaign) { return branched.contains(place_of(campaign)); });
  return campaigns;
}

std::vector<ComparedTrajectory> load_trajectories(const store::Reader& reader,
                                                  const store::CampaignRecord& campaign,
                                                  SettingsReader& settings) {
  std::vector<ComparedTrajectory> compared;
  const auto compiled = compiled_speedups(reader.baselines());
  const auto place = place_of(campaign);
  const auto figures = store::read_figures(reader, campaign.id);
  const auto structures = structures_of(reader);
  for (const auto& trajectory : reader.trajectories(campaign.id)) {
    if (trajectory.state == store::TrajectoryState::pending) continue;
    const auto [first, last] =
        std::equal_range(figures.begin(), figures.end(), trajectory.id, OfTrajectory());
    compared.push_back(compared_trajectory_of(trajectory, {first, last}, compiled));
    compared.back().origin = place + "#" + std::to_string(trajectory.id);
    compared.back().settings = settings.read(trajectory, campaign.prompts_hash);
    compared.back().campaign = campaign.name;
    if (const auto structure = structures.find(trajectory.task_hash); structure != structures.end())
      compared.back().structure = structure->second;
  }
  return compared;
}

std::vector<SuiteTask> load_suite_tasks(const store::Reader& reader, store::Id campaign) {
  std::vector<SuiteTask> suite;
  for (auto& record : reader.suite_tasks(campaign))
    suite.push_back({std::move(record.file), std::move(record.name), std::move(record.category),
                     record.standing, std::move(record.reason)});
  return suite;
}

void join(std::vector<SuiteTask>& suite, std::vector<SuiteTask> more) {
  for (auto& task : more) {
    const auto known = std::find_if(suite.begin(), suite.end(),
                                    [&](const SuiteTask& other) { return other.file == task.file; });
    if (known == suite.end())
      suite.push_back(std::move(task));
    else if (known->standing == Standing::unchecked)
      *known = std::move(task);
  }
}

void add_suite(std::vector<ScoredSuite>& suites, const store::Reader& reader,
               const store::CampaignRecord& campaign) {
  auto tasks = load_suite_tasks(reader, campaign.id);
  const auto* kind = tasks.empty() ? nullptr : suites::kind_in(campaign.config_text);
  // A suite that this program no longer knows, or that has no rule, adds no figures of its own.
  if (kind == nullptr || !kind->profile().rule) return;
  const auto& name = kind->profile().name;
  auto suite = std::ranges::find(suites, name, &ScoredSuite::name);
  if (suite == suites.end()) suite = suites.insert(suite, {name, *kind->profile().rule, {}});
  join(suite->tasks, std::move(tasks));
}

namespace {

/// What was read of all stores.
struct Loaded {
  std::vector<ComparedTrajectory> trajectories;
  std::vector<ScoredSuite> suites;
  std::vector<std::string> campaigns;
  std::set<std::string> pending;  ///< origins of trajectories that have not begun
};

Loaded load(const std::vector<const store::Reader*>& readers) {
  Loaded loaded;
  SettingsReader settings;
  std::set<std::string> known;
  const auto by_store = compared_campaigns(readers);
  for (std::size_t i = 0; i < readers.size(); ++i)
    for (const auto& campaign : by_store[i]) {
      const auto place = place_of(campaign);
      if (known.insert(place).second) loaded.campaigns.push_back(campaign.name);
      add_suite(loaded.suites, *readers[i], campaign);
      for (const auto& trajectory : readers[i]->trajectories(campaign.id))
        if (trajectory.state == store::TrajectoryState::pending)
          loaded.pending.insert(place + "#" + std::to_string(trajectory.id));
      auto more = load_trajectories(*readers[i], campaign, settings);
      for (auto& trajectory : more) trajectory.store = i;
      std::move(more.begin(), more.end(), std::back_inserter(loaded.trajectories));
    }
  // What a copy of a store had not begun may have gone on in the other.
  for (const auto& trajectory : loaded.trajectories) loaded.pending.erase(trajectory.origin);
  return loaded;
}

std::vector<Roofline> read_rooflines(const store::Reader& reader, store::Id evaluation) {
  if (evaluation == 0) return {};
  auto rooflines = store::rooflines_of(reader, evaluation);
  // Counters and sentences belong on a kernel's own page, not in a comparison of thousands.
  for (auto& roofline : rooflines) {
    roofline.counters.clear();
    roofline.diagnosis.clear();
  }
  return rooflines;
}

/// Adds what was read of the stores of before a change to those of after it.
void add_before(Loaded& after, Loaded before, std::size_t stores_after) {
  std::set<std::string> origins;
  for (auto& trajectory : after.trajectories) {
    trajectory.side = "after";
    origins.insert(trajectory.origin);
  }
  for (auto& trajectory : before.trajectories) {
    if (origins.contains(trajectory.origin))
      throw BadInput("the same trajectories are on both sides of --against (campaign " + trajectory.campaign +
                     "): give a store of after the change, and --against one of before it");
    trajectory.side = "before";
    trajectory.store += stores_after;
    after.trajectories.push_back(std::move(trajectory));
  }
  for (auto& campaign : before.campaigns) after.campaigns.push_back(std::move(campaign) + " (before)");
  for (auto& suite : before.suites) {
    const auto known = std::ranges::find(after.suites, suite.name, &ScoredSuite::name);
    if (known == after.suites.end())
      after.suites.push_back(std::move(suite));
    else
      join(known->tasks, std::move(suite.tasks));
  }
  after.pending.merge(before.pending);
}

}  // namespace

Comparison compare(const std::vector<const store::Reader*>& readers, const CompareOptions& options,
                   const std::vector<const store::Reader*>& before) {
  auto loaded = load(readers);
  if (!before.empty()) add_before(loaded, load(before), readers.size());
  if (loaded.trajectories.empty())
    throw BadInput("nothing to compare: no trajectory in the store has begun (" +
                   std::to_string(loaded.pending.size()) +
                   " planned); run the campaign first with `ridgeline run`");
  auto all = readers;
  all.insert(all.end(), before.begin(), before.end());
  const auto rooflines = [&all](const ComparedTrajectory& trajectory, const CandidateOutcome& outcome) {
    return read_rooflines(*all[trajectory.store], outcome.evaluation);
  };
  auto comparison = compare(std::move(loaded.trajectories), options, loaded.suites, rooflines);
  comparison.campaigns = std::move(loaded.campaigns);
  comparison.ceilings = ceilings_of(all, comparison);
  if (!loaded.pending.empty())
    comparison.notes.push_back("trajectories planned but not begun, not counted: " +
                               std::to_string(loaded.pending.size()));
  return comparison;
}

}  // namespace ridgeline::compare
