// Strategies at equal budget: every trajectory is cut at the same value, then scored and counted.
//
// A finished trajectory that brought no kernel stays in every denominator. One that did not finish, or whose
// candidates the machine could not judge, stands apart and in none: neither says anything of the strategy.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/compare/kernelbench.hpp"
#include "engine/compare/speed.hpp"
#include "engine/compare/walk.hpp"
#include "engine/core/names.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::store {
class Reader;
}

namespace ridgeline::compare {

struct CompareOptions {
  /// Cut every trajectory at this many calls, critics counted. nullopt: the largest number that any
  /// trajectory used, the least that all of them can be said to have been offered; `Comparison::notes` names
  /// the strategies that never used as many.
  std::optional<int> calls;
  std::optional<long> tokens;  ///< input plus output; given together, budgets all hold
  std::optional<double> usd;
  std::optional<int> evaluations;
  bool score_last = false;  ///< KernelBench's rule: the last candidate; else the best so far
  /// Also score the speed-ups of flagged kernels; else these count as correct and not timed.
  bool include_flagged = false;
};

/// A budget's unit: what the cut and the curve are measured in.
enum class Unit { calls, tokens, usd, evaluations };
constexpr auto enum_names(Unit) {
  return std::to_array<Name<Unit>>({{Unit::calls, "calls"},
                                    {Unit::tokens, "tokens"},
                                    {Unit::usd, "usd"},
                                    {Unit::evaluations, "evaluations"}});
}

/// One strategy.
struct StrategyRow {
  std::string label;     ///< the strategy; with model and language where the walks hold several of them
  int trajectories = 0;  ///< scored: of all shares the denominator
  int not_judged = 0;    ///< finished besides, without a candidate that was judged
  int incomplete = 0;    ///< begun besides, and not finished
  int candidates_not_judged = 0;  ///< within the cut, of all that finished
  int compiled = 0;               ///< trajectories whose scored candidate compiled
  int correct = 0;
  int final_failed = 0;  ///< correct ones that fail a `final` case
  int flagged = 0;       ///< correct candidates within the cut, scored or not, whose figures deserve doubt
  std::array<int, fast_thresholds.size()> fast{};  ///< trajectories a threshold
  std::vector<double> speedups;                    ///< of correct, timed kernels, ascending
  Speed speed;
  Speed rescued;     ///< solved only after a failing candidate in the same trajectory
  Speed persistent;  ///< no failing candidate came before the first correct one
  int calls = 0;     ///< spent within the cut, all trajectories together
  std::int64_t tokens = 0;
  double usd = 0;
  int evaluations = 0;
};

/// One round of one strategy.
struct RoundRow {
  std::size_t strategy = 0;  ///< index in `strategies`
  int round = 0;
  int candidates = 0;  ///< judged in this round
  int not_judged = 0;  ///< besides
  int compiled = 0;    ///< of the judged
  int correct = 0;     ///< of them
  int flagged = 0;     ///< of the correct
  Speed speed;         ///< of them
  int solved = 0;      ///< trajectories with a correct candidate up to this round
  Speed best;          ///< the best of each trajectory up to this round
};

/// One strategy on one category of tasks.
struct Cell {
  int trajectories = 0;
  int not_judged = 0;  ///< besides
  int compiled = 0;
  int correct = 0;
  Speed speed;
};

struct CurvePoint {
  double budget = 0;   ///< in `Comparison::unit`, a trajectory
  double correct = 0;  ///< share of trajectories
  /// Geometric mean over all trajectories, where one without a faster kernel keeps eager LibTorch and counts
  /// 1: more solved trajectories cannot lower it.
  double speedup = 1;
};

struct RooflinePoint {
  std::size_t strategy = 0;
  std::string task;
  std::string device;
  Roofline roofline;
  bool flagged = false;
};

struct TaskResult {
  int trajectories = 0;
  int not_judged = 0;  ///< besides
  int correct = 0;
  std::optional<double>
      best;                   ///< speed-up of the fastest kernel that counts; nullopt: none correct and timed
  Hash candidate;             ///< that kernel's
  bool best_flagged = false;  ///< that kernel's figures deserve doubt; only where flagged ones are included
  int flagged = 0;            ///< correct candidates within the cut whose figures deserve doubt
};

struct TaskRow {
  std::string task;
  std::string category;
  std::vector<TaskResult> results;     ///< one a strategy
  std::optional<std::size_t> fastest;  ///< index of the strategy
};

struct Comparison {
  Limits limits;  ///< in force, the default filled in
  Scoring scoring = Scoring::best;
  bool flagged_included = false;
  Unit unit = Unit::calls;  ///< of the curve: the budget that was asked for, else calls
  std::vector<std::string> campaigns;
  std::vector<std::string> notes;       ///< what a reader of the figures must know
  std::vector<StrategyRow> strategies;  ///< in order of first appearance
  std::vector<RoundRow> rounds;
  std::vector<std::string> categories;          ///< by name
  std::vector<std::vector<Cell>> by_category;   ///< [strategy][category]
  std::vector<std::vector<CurvePoint>> curves;  ///< [strategy]
  std::vector<RooflinePoint> rooflines;         ///< of scored, correct kernels
  std::vector<Ceilings> ceilings;               ///< of the devices among them
  std::vector<TaskRow> tasks;                   ///< by name
  std::optional<KernelBenchScore> kernelbench;  ///< where tasks come from a clone of KernelBench
};

/// Everything that can be computed from walks and what was known of their suite; `campaigns` and `ceilings`
/// stay empty.
Comparison compare(std::vector<Walk> walks, const CompareOptions& options,
                   const std::vector<SuiteTask>& suite = {});

/// Over all campaigns of all stores but those that a branch continues. Throws BadInput where there is nothing
/// that ran, MachineCannot where a store is damaged.
Comparison compare(const std::vector<const store::Reader*>& readers, const CompareOptions& options);

/// "6 calls each, best so far": what the figures were computed under.
std::string describe_budget(const Comparison& comparison);

}  // namespace ridgeline::compare
