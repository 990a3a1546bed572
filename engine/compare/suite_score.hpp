// Computes the figures by which a suite's authors score answers (suites::ScoringRule), by their public rule
// of correctness and by ours.
//
// A level's figures are means over its tasks. A task with several trajectories counts with the share of
// them. Pure arithmetic.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "engine/compare/ending.hpp"
#include "engine/compare/speed.hpp"
#include "engine/compare/trajectory.hpp"
#include "engine/core/standing.hpp"
#include "engine/suites/profile.hpp"

namespace ridgeline::compare {

struct StrategyGroup;

/// A task of the suite as the campaign knew it before any answer.
struct SuiteTask {
  std::string file;   ///< "level1/23_Softmax"
  std::string name;   ///< ComparedTrajectory::task
  std::string level;  ///< "level1"
  Standing standing = Standing::ok;
  std::string reason;
};

/// The tasks that campaigns chose from one suite, and how its authors score answers to them.
struct ScoredSuite {
  std::string name;  ///< suites::Profile::name
  suites::ScoringRule rule;
  std::vector<SuiteTask> tasks;
};

/// The rule by which an answer is right.
enum class CorrectnessRule {
  faithful,  ///< the suite's public rule, over all tasks, including those that no model could be asked about
  hardened   ///< our rule, over the tasks that are neither degenerate nor impossible to judge
};
constexpr auto enum_names(CorrectnessRule) {
  return std::to_array<Name<CorrectnessRule>>(
      {{CorrectnessRule::faithful, "faithful"}, {CorrectnessRule::hardened, "hardened"}});
}

/// How fast a level's scored answers are compared with one baseline.
struct BaselineScore {
  std::vector<double> fast;  ///< shares of the tasks, one for each threshold; all 0 if there are no tasks
  Speed speed;               ///< of right, timed answers
  int untimed = 0;           ///< right answers without a time: only fast_0 counts them
};

/// The figures of one strategy on the tasks of one level, or of all levels.
struct LevelScore {
  int tasks = 0;
  int not_judged = 0;  ///< further tasks, on all of whose answers the machine failed
  BaselineScore eager;
  /// Against torch.compile in each of SuiteScore::modes. Tasks that the mode has no time for count as
  /// untimed.
  std::vector<BaselineScore> compiled;
  std::array<int, ending_count> answers{};  ///< how all answers within the budget ended
  std::array<int, ending_count> endings{};  ///< how the scored answers ended
  /// (k, pass@k) for each k that every tried task has samples for.
  std::vector<std::pair<int, double>> pass_at;
};

/// All figures of one strategy.
struct StrategyScore {
  std::string label;
  std::vector<std::array<LevelScore, 2>>
      levels;  ///< [level][CorrectnessRule]; the last entry is over all levels
};

/// A task that is listed apart: degenerate, or impossible to judge.
struct SeparateTask {
  SuiteTask task;
  std::vector<std::pair<int, int>>
      passed;  ///< for each strategy: (trajectories right by the public rule, all)
};

/// A suite's part of a comparison.
struct SuiteScore {
  std::string name;  ///< ScoredSuite::name; the key in documents
  suites::ScoringRule rule;
  std::vector<std::string> levels;  ///< names of the suite's levels
  std::vector<StrategyScore> strategies;
  std::vector<SeparateTask> apart;  ///< in the suite's order
  std::vector<std::string> modes;   ///< of torch.compile that were measured for some answers
};

/// Scores the trajectories on tasks of `suite`; others are left out. Among independent calls the best answer
/// counts, whatever `scoring` says, as in the paper; in a chain of calls `scoring` decides.
SuiteScore score_suite(const std::vector<StrategyGroup>& groups, const ScoredSuite& suite, Scoring scoring);

/// Returns the unbiased estimator of Chen et al. 2021 (arXiv 2107.03374): the probability that at least one
/// of k samples, drawn without replacement from n of which c are right, is right. 0 <= c <= n, 1 <= k <= n.
double pass_at_k(int n, int c, int k);

}  // namespace ridgeline::compare
