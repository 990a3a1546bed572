// KernelBench's own figures (Ouyang et al. 2025, arXiv 2502.10517): by its rule of what is right, and by
// ours.
//
// A level's figures are means over its tasks; a task that was tried several times counts with the share of
// its trajectories. Pure arithmetic over walks.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "engine/compare/ending.hpp"
#include "engine/compare/speed.hpp"
#include "engine/compare/walk.hpp"
#include "engine/core/standing.hpp"

namespace ridgeline::compare {

struct Group;

/// What a campaign knew of a task of the suite before anybody answered it.
struct SuiteTask {
  std::string file;   ///< "level1/23_Softmax"
  std::string name;   ///< Walk::task
  std::string level;  ///< "level1"
  Standing standing = Standing::ok;
  std::string reason;
};

enum class Rule {
  faithful,  ///< right by KernelBench's rule; over all tasks, those that nobody could be asked about too
  hardened   ///< right by ours; over the tasks that are neither degenerate nor out of reach
};
constexpr auto enum_names(Rule) {
  return std::to_array<Name<Rule>>({{Rule::faithful, "faithful"}, {Rule::hardened, "hardened"}});
}

/// How fast the scored answers of a level are against one baseline.
struct Against {
  std::array<double, fast_thresholds.size()> fast{};  ///< shares of the tasks; all 0 where there is none
  Speed speed;                                        ///< of scored answers that are right and timed
  int untimed = 0;  ///< scored answers that are right without a figure: fast_0 counts them and no other
};

/// One strategy on the tasks of one level, or of all.
struct LevelScore {
  int tasks = 0;
  int not_judged = 0;  ///< tasks besides: the machine failed on every answer to them
  Against eager;
  /// torch.compile in each of KernelBenchScore::modes; without a figure is also what it has none of.
  std::vector<Against> compiled;
  std::array<int, ending_count> answers{};  ///< how every answer within the budget ended
  std::array<int, ending_count> endings{};  ///< of scored answers
  std::vector<std::pair<int, double>>
      pass_at;  ///< (k, share) for each k that every tried task has samples for
};

struct StrategyScore {
  std::string label;
  std::vector<std::array<LevelScore, 2>> levels;  ///< [level][Rule]; the last is over all levels
};

/// A task that stands apart: degenerate, or not asked.
struct ApartRow {
  SuiteTask task;
  std::vector<std::pair<int, int>> passed;  ///< a strategy: trajectories right by KernelBench's rule, of all
};

struct KernelBenchScore {
  std::vector<std::string> levels;  ///< by name; those of the suite
  std::vector<StrategyScore> strategies;
  std::vector<ApartRow> apart;     ///< by the suite's order
  std::vector<std::string> modes;  ///< of torch.compile, that were measured for some of the answers
};

/// Of several walks of independent calls the best counts, whatever `scoring` says, as in the paper; of a
/// chain what `scoring` says. Walks on tasks that are not in `suite` are left out.
KernelBenchScore score_kernelbench(const std::vector<Group>& groups, const std::vector<SuiteTask>& suite,
                                   Scoring scoring);

/// The unbiased estimator of Chen et al. 2021 (arXiv 2107.03374): of n samples c are right, 0 <= c <= n and
/// 1 <= k <= n; the probability that one of k drawn without replacement is right.
double pass_at_k(int n, int c, int k);

/// The values of k that are reported.
inline constexpr std::array pass_counts{1, 5, 10};

}  // namespace ridgeline::compare
