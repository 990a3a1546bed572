#include "engine/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/compare/given_twice.hpp"
#include "engine/compare/groups.hpp"
#include "engine/core/counted_reasons.hpp"

namespace ridgeline::compare {
namespace {

/// The most calls that a finished trajectory used.
int most_calls(const std::vector<ComparedTrajectory>& trajectories) {
  int most = 0;
  for (const auto& trajectory : trajectories)
    if (trajectory.incomplete.empty() && !trajectory.points.empty())
      most = std::max(most, trajectory.points.back().calls);
  return most;
}

BudgetLimits limits_of(const std::vector<ComparedTrajectory>& trajectories, const CompareOptions& options) {
  return {.calls = options.calls ? options.calls : most_calls(trajectories),
          .tokens = options.tokens,
          .usd = options.usd,
          .evaluations = options.evaluations,
          .wall_seconds = options.wall_seconds,
          .gpu_seconds = options.gpu_seconds};
}

Unit unit_of(const CompareOptions& options) {
  if (options.calls) return Unit::calls;
  if (options.tokens) return Unit::tokens;
  if (options.usd) return Unit::usd;
  if (options.evaluations) return Unit::evaluations;
  if (options.wall_seconds) return Unit::wall_seconds;
  return options.gpu_seconds ? Unit::gpu_seconds : Unit::calls;
}

/// Adds a note for each strategy that stopped early: it is compared as it is, but did not use the whole
/// budget.
void note_unused_calls(Comparison& comparison, const std::vector<StrategyGroup>& groups) {
  for (const auto& group : groups) {
    int most = 0;
    for (const auto& cut : group.trajectories)
      if (cut.points > 0) most = std::max(most, cut.trajectory->points[cut.points - 1].calls);
    if (!group.trajectories.empty() && most < *comparison.limits.calls)
      comparison.notes.push_back(
          fmt::format("{} never used more than {} of {} calls", group.label, most, *comparison.limits.calls));
  }
}

/// Adds a note if strategies tried different tasks, since shares over different tasks do not compare.
void note_different_tasks(Comparison& comparison) {
  int missing = 0;
  for (const auto& task : comparison.tasks)
    missing += std::any_of(task.results.begin(), task.results.end(), [](const TaskResult& result) {
      return result.trajectories + result.not_judged == 0;
    });
  if (missing > 0)
    comparison.notes.push_back(fmt::format(
        "{} of {} tasks were not tried by every strategy: shares and means are over different tasks", missing,
        comparison.tasks.size()));
}

/// Adds a note if the timed verdicts are of several devices, with how many each gave.
void note_devices(Comparison& comparison, const std::vector<StrategyGroup>& groups) {
  std::map<std::string, int> timed;
  for (const auto& group : groups)
    for (const auto& cut : group.trajectories)
      for (std::size_t i = 0; i < cut.points; ++i) {
        const auto& outcome = cut.trajectory->points[i].outcome;
        if (outcome && outcome->speedup > 0) ++timed[outcome->device];
      }
  if (timed.size() < 2) return;
  std::string counts;
  for (const auto& [device, verdicts] : timed)
    counts += fmt::format("{}{}: {}", counts.empty() ? "" : ", ", device, verdicts);
  comparison.notes.push_back(
      "timed verdicts are of several devices (" + counts +
      "): a speed-up is over eager LibTorch on the same device, and differs between devices");
}

/// Adds notes about trajectories that did not finish and candidates that were not judged.
void note_ends(Comparison& comparison, const std::vector<StrategyGroup>& groups) {
  std::map<std::string, int> reasons;
  int not_judged = 0, candidates = 0;
  for (const auto& group : groups)
    for (const auto* trajectory : group.incomplete) ++reasons[trajectory->incomplete];
  for (const auto& row : comparison.strategies) {
    not_judged += row.not_judged;
    candidates += row.candidates_not_judged;
  }
  if (!reasons.empty())
    comparison.notes.push_back(counted_reasons("incomplete", reasons) +
                               "; trajectories that have not finished are not scored");
  if (candidates > 0)
    comparison.notes.push_back(fmt::format(
        "candidates not judged, since the machine failed: {}; they count neither as right nor as wrong{}",
        candidates,
        not_judged == 0 ? ""
                        : fmt::format(", and {} trajectories without any other are not scored", not_judged)));
}

/// Adds a note about flagged kernels, with the first as an example.
void note_flagged(Comparison& comparison, const std::vector<StrategyGroup>& groups) {
  int flagged = 0;
  std::string first;
  for (const auto& group : groups)
    for (const auto& cut : group.trajectories)
      for (std::size_t i = 0; i < cut.points; ++i) {
        const auto& outcome = cut.trajectory->points[i].outcome;
        if (!outcome || !outcome->flagged()) continue;
        if (++flagged == 1)
          first = fmt::format("{} on {}: {}", group.label, cut.trajectory->task, outcome->doubt);
      }
  if (flagged == 0) return;
  comparison.notes.push_back(
      fmt::format("correct kernels whose figures deserve doubt: {} (the first, {}); {}", flagged, first,
                  comparison.flagged_included
                      ? "they count, marked !"
                      : "they count as correct and not timed (--include-flagged counts their speed-ups)"));
}

/// Whether two rows differ in the side of a change alone, as far as names tell.
bool same_but_side(const RowIdentity& one, const RowIdentity& other) {
  return one.side != other.side && one.strategy == other.strategy && one.model == other.model &&
         one.language == other.language;
}

/// Every two strategies; where a change is looked into, each after it with the same before it. The change may
/// be one of the model: only where no row has the same one, the strategy alone decides.
std::vector<std::pair<std::size_t, std::size_t>> pairs_of(const std::vector<StrategyGroup>& groups) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const auto has_twin = [&](const RowIdentity& one) {
    return std::ranges::any_of(groups, [&](const auto& group) { return same_but_side(one, group.identity); });
  };
  for (std::size_t first = 0; first < groups.size(); ++first)
    for (std::size_t second = first + 1; second < groups.size(); ++second) {
      const auto &one = groups[first].identity, &other = groups[second].identity;
      const bool same_strategy = one.side != other.side && one.strategy == other.strategy;
      if (one.side.empty() || same_but_side(one, other) ||
          (same_strategy && !has_twin(one) && !has_twin(other)))
        pairs.emplace_back(first, second);
    }
  return pairs;
}

/// Adds notes about rows that hold trajectories with different settings, as was asked for.
void note_pooled(Comparison& comparison, const std::vector<StrategyGroup>& groups) {
  for (const auto& group : groups) {
    std::string parts;
    for (const auto part : group.pooled) parts += (parts.empty() ? "" : ", ") + std::string(to_string(part));
    if (!parts.empty())
      comparison.notes.push_back(group.label + " pools trajectories that differ in " + parts);
  }
}

void add_conclusion(Comparison& comparison, const std::vector<StrategyGroup>& groups) {
  comparison.contrasts = contrasts_of(groups, pairs_of(groups), comparison.noise_floors);
  std::vector<std::string> labels;
  bool timed = false;
  for (const auto& row : comparison.strategies) {
    labels.push_back(row.label);
    timed = timed || !row.speedups.empty();
  }
  comparison.conclusion = conclude(comparison.contrasts, labels, timed);
}

}  // namespace

Comparison compare(std::vector<ComparedTrajectory> trajectories, const CompareOptions& options,
                   const std::vector<ScoredSuite>& suites, const RooflineReader& rooflines) {
  if (!options.include_flagged) set_flagged_aside(trajectories);
  Comparison comparison;
  // remove_given_twice removes the answers that were judged twice, which these two compare.
  comparison.noise_floors = noise_floors(trajectories);
  comparison.across_devices = across_devices(trajectories, rooflines);
  const int twice = remove_given_twice(trajectories);
  comparison.flagged_included = options.include_flagged;
  comparison.limits = limits_of(trajectories, options);
  comparison.scoring = options.score_last ? Scoring::last : Scoring::best;
  comparison.unit = unit_of(options);
  auto groups = group_trajectories(trajectories, comparison.limits, comparison.scoring, options.group_by);
  comparison.differences = label_groups(groups);
  comparison.categories = categories_of(groups);
  for (const auto& group : groups) {
    comparison.strategies.push_back(summarize(group));
    comparison.by_category.push_back(cells_of(group, comparison.categories));
  }
  comparison.attribution = attribute(trials_of(groups));
  comparison.quantization = quantization_rows(groups);
  comparison.structure = structure_rows(groups);
  comparison.unit_curves = unit_curves_of(groups, comparison.unit, comparison.scoring);
  comparison.trajectories = trajectories_of(groups);
  comparison.rounds = rounds_of(groups, comparison.scoring);
  comparison.tasks = tasks_of(groups, comparison.noise_floors);
  add_conclusion(comparison, groups);
  comparison.rooflines = rooflines_of(groups, rooflines);
  for (const auto& suite : suites)
    comparison.suites.push_back(score_suite(groups, suite, comparison.scoring));
  if (unit_of(options) == Unit::calls) note_unused_calls(comparison, groups);
  note_different_tasks(comparison);
  note_devices(comparison, groups);
  note_pooled(comparison, groups);
  note_ends(comparison, groups);
  note_flagged(comparison, groups);
  if (twice > 0)
    comparison.notes.push_back(fmt::format(
        "trajectories that were given more than once count once: {} left out (the same store, a copy of it, "
        "or the same answers judged again)",
        twice));
  return comparison;
}

std::pair<int, int> unsolved_by_all(const Comparison& comparison, const std::string& category) {
  std::pair<int, int> found{0, 0};
  for (const auto& task : comparison.tasks) {
    if (task.category != category) continue;
    int trajectories = 0, correct = 0;
    for (const auto& result : task.results) {
      trajectories += result.trajectories;
      correct += result.correct;
    }
    found.second += trajectories > 0;
    found.first += trajectories > 0 && correct == 0;
  }
  return found;
}

std::string describe_budget(const Comparison& comparison) {
  const auto& limits = comparison.limits;
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (limits.calls) add(fmt::format("{} calls", *limits.calls));
  if (limits.tokens) add(fmt::format("{} tokens", *limits.tokens));
  if (limits.usd) add(fmt::format("{} USD", *limits.usd));
  if (limits.evaluations) add(fmt::format("{} evaluations", *limits.evaluations));
  if (limits.wall_seconds) add(fmt::format("{} s of wall time", *limits.wall_seconds));
  if (limits.gpu_seconds) add(fmt::format("{} s of the judge's device", *limits.gpu_seconds));
  return fmt::format("at most {} a trajectory; {}", text,
                     comparison.scoring == Scoring::best ? "the best candidate so far is scored"
                                                         : "the last candidate is scored");
}

}  // namespace ridgeline::compare
