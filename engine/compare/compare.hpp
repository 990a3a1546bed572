// Compares strategies at equal budget: every trajectory is cut at the same budget, then scored by one of its
// candidates and counted. That candidate is its scored kernel: the best or the last (Scoring).
//
// A finished trajectory that brought no kernel stays in every denominator. A trajectory that did not finish,
// or whose candidates the machine could not judge, is counted apart and in no denominator: neither says
// anything about the strategy.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/compare/across_devices.hpp"
#include "engine/compare/attribution.hpp"
#include "engine/compare/code_rows.hpp"
#include "engine/compare/conclusion.hpp"
#include "engine/compare/contrast.hpp"
#include "engine/compare/labels.hpp"
#include "engine/compare/noise_floor.hpp"
#include "engine/compare/quantization_rows.hpp"
#include "engine/compare/roofline_reader.hpp"
#include "engine/compare/score.hpp"
#include "engine/compare/speed.hpp"
#include "engine/compare/structure_rows.hpp"
#include "engine/compare/suite_score.hpp"
#include "engine/compare/trajectory.hpp"
#include "engine/core/names.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::store {
class Reader;
}

namespace ridgeline::compare {

/// How a comparison is made.
struct CompareOptions {
  /// Cuts every trajectory at this many calls to models, including calls that ask for a critique. nullopt:
  /// the largest number that any finished trajectory used, so that nothing is cut off. If the curve's unit is
  /// calls, `Comparison::notes` names the strategies that never used as many.
  std::optional<int> calls;
  std::optional<long> tokens;  ///< input plus output; if several budgets are given, all hold
  std::optional<double> usd;
  std::optional<int> evaluations;
  std::optional<double> wall_seconds;            ///< TrajectoryPoint::wall_seconds
  std::optional<double> gpu_seconds;             ///< TrajectoryPoint::gpu_seconds
  bool score_last = false;                       ///< score the last candidate instead of the best
  std::vector<Part> group_by = default_parts();  ///< trajectories that are equal in these make a row
  /// Also scores the speed-ups of flagged kernels; otherwise these count as correct and not timed.
  bool include_flagged = false;
};

/// The unit of a budget, which the cut and the curve are measured in.
enum class Unit { calls, tokens, usd, evaluations, wall_seconds, gpu_seconds };
constexpr auto enum_names(Unit) {
  return std::to_array<Name<Unit>>({{Unit::calls, "calls"},
                                    {Unit::tokens, "tokens"},
                                    {Unit::usd, "usd"},
                                    {Unit::evaluations, "evaluations"},
                                    {Unit::wall_seconds, "wall_seconds"},
                                    {Unit::gpu_seconds, "gpu_seconds"}});
}

/// The figures of one strategy.
struct StrategyRow {
  std::string label;              ///< the strategy, and what tells it from the other rows (labels.hpp)
  RowIdentity identity;           ///< what the label is made from
  int trajectories = 0;           ///< that are scored: the denominator of all shares
  int not_judged = 0;             ///< further trajectories that finished, without a judged candidate
  int incomplete = 0;             ///< further trajectories that began and did not finish
  int candidates_not_judged = 0;  ///< within the cut, of all finished trajectories
  int compiled = 0;               ///< trajectories whose scored kernel compiled
  int callable = 0;               ///< trajectories whose scored kernel is callable
  int correct = 0;                ///< trajectories whose scored kernel is correct
  int final_failed = 0;  ///< correct scored kernels that fail a `final` case, on which no verdict depends
  int flagged = 0;       ///< correct candidates within the cut, scored or not, that are flagged
  std::array<int, fast_thresholds.size()> fast{};  ///< trajectories above each of fast_thresholds (score.hpp)
  std::vector<double> speedups;                    ///< of scored, correct, timed kernels, ascending
  Speed speed;                                     ///< of `speedups`
  /// Quartiles of the speed-up that each trajectory keeps (Score::kept), the median in the middle.
  std::array<double, 3> kept_quartiles = {1, 1, 1};
  Speed rescued;      ///< of those whose trajectory had a judged candidate fail before its first correct one
  Speed persistent;   ///< of the others: "persistently correct"
  SpeedRatio repair;  ///< rescued over persistent
  int calls = 0;      ///< to models, within the cut, of all finished trajectories together
  std::int64_t tokens = 0;
  double usd = 0;
  int evaluations = 0;
  double wall_seconds = 0;
  double gpu_seconds = 0;
};

/// The figures of one round of one strategy.
struct RoundRow {
  std::size_t strategy = 0;  ///< index in `strategies`
  int round = 0;
  int candidates = 0;  ///< judged in this round
  int not_judged = 0;  ///< candidates that the machine could not judge
  int compiled = 0;    ///< judged candidates that compiled
  int correct = 0;     ///< compiled candidates that are correct
  int flagged = 0;     ///< correct candidates that are flagged
  Speed speed;         ///< of the correct, timed candidates of this round
  /// Trajectories, of StrategyRow::trajectories, whose scored kernel up to this round is correct. With
  /// Scoring::last that is the last one, so a trajectory that spoils its kernel is solved no longer.
  int solved = 0;
  Speed best;         ///< of these scored kernels, if they are timed
  int callable = 0;   ///< trajectories with a callable candidate up to this round
  Speed newly;        ///< of `best`, those whose trajectory was not solved up to the round before
  Speed before;       ///< and those whose trajectory was
  SpeedRatio repair;  ///< newly over before: repair bias by round
};

/// The figures of one strategy on one category of tasks.
struct Cell {
  int trajectories = 0;  ///< that are scored
  int not_judged = 0;    ///< further trajectories, without a judged candidate
  int compiled = 0;      ///< trajectories whose scored kernel compiled
  int callable = 0;      ///< trajectories whose scored kernel is callable
  int correct = 0;       ///< trajectories whose scored kernel is correct
  Speed speed;           ///< of these correct candidates, if they are timed
};

/// States how well a strategy does within `budget`, on average over its trajectories.
struct CurvePoint {
  double budget = 0;   ///< of each trajectory, in `Comparison::unit`
  double correct = 0;  ///< share of trajectories whose scored kernel within `budget` is correct
  /// Geometric mean over all trajectories of their scored kernel's speed-up. A trajectory without a faster
  /// kernel keeps eager LibTorch and counts 1, so more solved trajectories cannot lower the mean.
  double speedup = 1;
  Interval correct_interval, speedup_interval;  ///< 95 %, percentile bootstrap over tasks
};

/// The curves against one budget.
struct UnitCurves {
  Unit unit = Unit::calls;
  std::vector<std::vector<CurvePoint>> curves;  ///< [strategy]
};

/// How a trajectory ended within the cut.
enum class TrajectoryEnd { solved, unsolved, not_judged, incomplete };

/// A trajectory in brief, by which a report leads to what happened.
struct TrajectoryResult {
  std::size_t strategy = 0;
  std::string task;
  std::uint64_t seed = 0;
  std::size_t store = 0;  ///< which of the compared stores it is in
  std::int64_t id = 0;    ///< its number there
  TrajectoryEnd state = TrajectoryEnd::unsolved;
  Score score;            ///< of its scored kernel
  Hash candidate;         ///< that kernel; "" if no candidate was judged
  bool callable = false;  ///< that kernel
};

/// A timed case of a scored, correct kernel on the roofline.
struct RooflinePoint {
  std::size_t strategy = 0;
  std::size_t trajectory = 0;  ///< index in `trajectories`
  std::string task;
  std::string device;
  Roofline roofline;
  bool flagged = false;
};

/// The figures of one strategy on one task.
struct TaskResult {
  int trajectories = 0;  ///< that are scored
  int not_judged = 0;    ///< further trajectories, without a judged candidate
  int correct = 0;       ///< trajectories whose scored kernel is correct
  /// Speed-up of the fastest scored kernel; nullopt if none is correct and timed.
  std::optional<double> best;
  double best_low = 0, best_high = 0;  ///< the ends of its interval; 0 where none is known
  Hash candidate;                      ///< that kernel
  bool best_flagged = false;           ///< that kernel is flagged; only if flagged kernels are included
  int flagged = 0;                     ///< correct candidates within the cut that are flagged
};

/// The figures of all strategies on one task.
struct TaskRow {
  std::string task;
  std::string category;
  std::vector<TaskResult> results;  ///< one for each strategy
  /// Index of the strategy with the fastest kernel, if it is faster than every other's by more than their
  /// intervals and the noise floor, or if no other has one.
  std::optional<std::size_t> fastest;
};

/// Everything that a report shows.
struct Comparison {
  BudgetLimits limits;  ///< in force, with the default filled in
  Scoring scoring = Scoring::best;
  bool flagged_included = false;
  Unit unit = Unit::calls;                      ///< of the first curves: the requested budget's, else calls
  Conclusion conclusion;                        ///< what follows from `contrasts`
  std::vector<Contrast> contrasts;              ///< of every two strategies that tried the same tasks
  std::vector<NoiseFloor> noise_floors;         ///< of devices on which kernels were evaluated twice
  std::optional<AcrossDevices> across_devices;  ///< of kernels that were timed on several devices
  std::vector<std::string> campaigns;
  std::vector<std::string> notes;              ///< what a reader must know about the figures
  std::vector<StrategyRow> strategies;         ///< in order of first appearance
  std::vector<SettingDifference> differences;  ///< of the strategies' settings
  std::vector<RoundRow> rounds;
  std::vector<std::string> categories;         ///< by name
  std::vector<std::vector<Cell>> by_category;  ///< [strategy][category]
  std::optional<Attribution> attribution;      ///< of what was solved, to categories and strategies
  std::vector<QuantizationRow> quantization;   ///< of strategies that tried quantized tasks
  std::vector<StructureRow> structure;         ///< what is solved against how references are built
  std::vector<CodeRow> code;                   ///< maintainability; empty unless add_code_rows was called
  std::vector<UnitCurves> unit_curves;         ///< of every budget that was spent, `unit` first
  std::vector<TrajectoryResult> trajectories;  ///< by strategy
  std::vector<RooflinePoint> rooflines;        ///< of scored, correct kernels
  std::vector<Ceilings> ceilings;              ///< of the devices of `rooflines`
  std::vector<TaskRow> tasks;                  ///< by name
  std::vector<SuiteScore> suites;  ///< of suites whose authors have a scoring rule; at most one of a name
};

/// Computes all that follows from the trajectories and from the tasks that were chosen from suites;
/// `campaigns` and `ceilings` stay empty. Pure, but for what `rooflines` does: it is called for scored,
/// correct kernels and for those that were timed on several devices; without it, their own rooflines are
/// taken.
Comparison compare(std::vector<ComparedTrajectory> trajectories, const CompareOptions& options,
                   const std::vector<ScoredSuite>& suites = {}, const RooflineReader& rooflines = {});

/// Compares all campaigns of all stores. Leaves out a campaign from which a branch was made: the branch holds
/// what still counts of it. If there are stores of `before` a change, each strategy is compared with itself
/// before it, and not with others. Throws BadInput if nothing has run, or if a trajectory is on both sides of
/// the change; MachineCannot if a store is damaged.
Comparison compare(const std::vector<const store::Reader*>& readers, const CompareOptions& options,
                   const std::vector<const store::Reader*>& before = {});

/// Counts the tasks of a category on which a trajectory is scored. Returns how many of them no strategy
/// solved, and how many there are.
std::pair<int, int> unsolved_by_all(const Comparison& comparison, const std::string& category);

/// Describes the budget in force: "at most 6 calls a trajectory; the best candidate so far is scored".
std::string describe_budget(const Comparison& comparison);

}  // namespace ridgeline::compare
