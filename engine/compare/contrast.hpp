// Compares two strategies task by task: the unit is a task, and a strategy's seeds on it are averaged first.
//
// Speed is what a user keeps: the mean over seeds of the logarithm of the scored kernel's speed-up. A user
// keeps eager LibTorch, which is 1, if the kernel is wrong, was not timed, or is slower. Beside it stand the
// ratio over those tasks alone that both solved, as measured, and the tasks solved. Pure.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/compare/noise_floor.hpp"
#include "engine/compare/settings.hpp"
#include "engine/core/names.hpp"
#include "engine/core/statistics.hpp"

namespace ridgeline::compare {

struct StrategyGroup;

/// How the first strategy did on a task against the second.
enum class TaskResultKind {
  won,
  lost,
  tied  ///< the interval of the ratio holds 1, or the ratio lies within the noise floor
};
constexpr auto enum_names(TaskResultKind) {
  return std::to_array<Name<TaskResultKind>>(
      {{TaskResultKind::won, "won"}, {TaskResultKind::lost, "lost"}, {TaskResultKind::tied, "tied"}});
}

/// The difference on one task: the first strategy's kept speed-up over the second's.
struct TaskDifference {
  std::string task;
  double first = 1, second = 1;  ///< what each keeps: geometric means over its seeds
  double ratio = 1;
  Interval interval = {1, 1};  ///< from the intervals of the evaluations
  TaskResultKind result = TaskResultKind::tied;
};

/// A ratio of speed-ups, the first strategy's over the second's, as a geometric mean over tasks.
struct Ratio {
  int tasks = 0;  ///< how many it is over
  double mean = 1;
  Interval interval = {1, 1};  ///< 95 %, BCa bootstrap over tasks (paired_statistics.hpp)
};

/// A comparison of two strategies over the tasks that both tried.
struct Contrast {
  std::size_t first = 0, second = 0;  ///< indices in `Comparison::strategies`
  int tasks = 0;                      ///< that both tried, and on which the machine did not fail: at least 1
  int tasks_apart = 0;                ///< further tasks, on which one of them alone was judged
  Ratio kept;                         ///< over `tasks`
  double p = 1;                       ///< of `kept`: paired permutation (paired_statistics.hpp)
  double p_holm = 1;                  ///< adjusted over all contrasts
  int won = 0, lost = 0, tied = 0;    ///< of `differences`
  Ratio both_solved;                  ///< over the tasks on which both have a correct, timed kernel
  double solved_first = 0, solved_second = 0;  ///< shares of `tasks`, each the mean over its seeds
  Interval solved_difference;                  ///< 95 % of solved_first - solved_second, like Ratio's
  int more_solved_first = 0;                   ///< tasks that the first solved with more of its seeds
  int more_solved_second = 0;                  ///< and the second
  double solved_p = 1;                         ///< McNemar's, of these two
  double solved_p_holm = 1;                    ///< adjusted over all contrasts
  std::vector<Part> also_differ;               ///< conditions in which the two differ; empty if labels say so
  double floor = 1;                            ///< the largest noise floor of its devices; 1: not known
  std::vector<TaskDifference> differences;     ///< of `kept`, by task
};

/// Returns a contrast for each of `pairs` (indices in `groups`) with tasks that both tried, in their order.
std::vector<Contrast> contrasts_of(const std::vector<StrategyGroup>& groups,
                                   const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                                   const std::vector<NoiseFloor>& floors);

}  // namespace ridgeline::compare
