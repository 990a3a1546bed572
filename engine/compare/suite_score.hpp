// Computes the figures by which a suite's authors score answers (suites::ScoringRule), by their public rule
// of correctness and by ours.
//
// A level's figures are means over its tasks. By the faithful rule these are the tasks that models were asked
// about and those that cannot be judged (can_be_judged), which count as wrong; by the hardened rule those
// that models were asked about, without degenerate ones. A task with several trajectories counts as the share
// of these that are right (and fast enough, where a figure asks for that). Pure arithmetic.
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
  std::string file;                  ///< "level1/23_Softmax"
  std::string name;                  ///< ComparedTrajectory::task
  std::string level;                 ///< "level1"
  Standing standing = Standing::ok;  ///< the result of examining the task (engine/core/standing.hpp)
  std::string reason;                ///< why it is not `ok`
};

/// The tasks that campaigns chose from one suite, and how its authors score answers to them.
struct ScoredSuite {
  std::string name;          ///< suites::Profile::name
  suites::ScoringRule rule;  ///< says which figures are computed, not which answers are right
  std::vector<SuiteTask> tasks;
};

/// Compares the speed of a level's scored kernels with one baseline's.
struct BaselineScore {
  /// For each of ScoringRule::thresholds: the share of the tasks whose answers are right and more than that
  /// many times as fast. All 0 if there are no tasks.
  std::vector<double> fast;
  Speed speed;      ///< of right, timed answers
  int untimed = 0;  ///< right answers without a time: only fast_0 counts them
};

/// The figures of one strategy on the tasks of one level, or of all levels.
struct LevelScore {
  int tasks = 0;
  int not_judged = 0;  ///< further tasks, on all of whose answers the machine failed
  BaselineScore eager;
  /// Against torch.compile in each of SuiteScore::modes. A right answer is untimed here if its task was not
  /// measured in that mode.
  std::vector<BaselineScore> compiled;
  std::array<int, ending_count> answers{};  ///< how all answers within the budget ended
  std::array<int, ending_count> endings{};  ///< how the scored kernels ended; no_answer for none
  /// (k, pass@k) for each k of ScoringRule::pass_counts such that every task with judged answers has at least
  /// k samples. A sample is an independent call (score_suite), or a whole chain of calls.
  std::vector<std::pair<int, double>> pass_at;
};

/// All figures of one strategy.
struct StrategyScore {
  std::string label;
  std::vector<std::array<LevelScore, 2>>
      levels;  ///< [level][CorrectnessRule]; the last entry is over all levels
};

/// A task that is listed apart: degenerate, or one that cannot be judged.
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

/// Scores the trajectories on tasks of `suite`; others are left out. If all calls of a trajectory are
/// independent (made in its first round, without knowing of one another), its best answer counts, whatever
/// `scoring` says, as in KernelBench's paper. In a chain of calls `scoring` decides.
SuiteScore score_suite(const std::vector<StrategyGroup>& groups, const ScoredSuite& suite, Scoring scoring);

}  // namespace ridgeline::compare
