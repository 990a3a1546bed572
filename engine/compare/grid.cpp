#include "engine/compare/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/compare/suite_grids.hpp"

namespace ridgeline::compare {
namespace {

/// "3/8 38%"; a dash if there is nothing to divide by.
std::string share(int part, int whole) {
  if (whole == 0) return "–";
  return fmt::format("{}/{} {:.0f}%", part, whole, 100.0 * part / whole);
}

std::string times(double speedup) {
  return fmt::format("{:.2f}×", speedup);
}

std::string with_interval(double speedup, const Interval& interval) {
  return fmt::format("{} [{:.2f}, {:.2f}]", times(speedup), interval.low, interval.high);
}

std::string mean_of(const Speed& speed) {
  return speed.kernels == 0 ? "–" : times(speed.mean);
}

std::string mean_and_count(const Speed& speed) {
  return speed.kernels == 0 ? "–" : fmt::format("{} of {}", times(speed.mean), speed.kernels);
}

std::string interval_of(const Speed& speed) {
  return speed.kernels == 0 ? "–" : with_interval(speed.mean, speed.interval);
}

std::string interval_of(const SpeedRatio& ratio) {
  return ratio.ratio == 0 ? "–" : with_interval(ratio.ratio, ratio.interval);
}

std::string ratio_of_means(const Ratio& ratio) {
  return ratio.tasks == 0 ? "–" : with_interval(ratio.mean, ratio.interval);
}

/// Says in one cell what a strategy achieved on a task.
std::string result_text(const TaskResult& result) {
  if (result.trajectories == 0) return result.not_judged > 0 ? "not judged" : "–";
  if (result.correct == 0) return "none correct";
  if (!result.best) return result.flagged > 0 ? "flagged" : "not timed";
  return times(*result.best) + (result.best_flagged ? "!" : "");
}

}  // namespace

Grid strategies_grid(const Comparison& comparison) {
  Grid grid{
      .title = "Strategies",
      .explanation =
          "Speed-up over eager LibTorch: geometric mean over correct kernels with its 95 % "
          "bootstrap interval. Flagged: correct kernels whose figures deserve doubt. Not judged: further "
          "trajectories on which the machine failed; incomplete: those that have not finished. Callable: "
          "compiled, loaded, and its calls ended.",
      .header = {"strategy", "tried", "not judged", "incomplete", "compiled", "callable", "correct",
                 "of callable", "speed-up [95 %]", "flagged", "calls", "tokens", "USD", "evals", "wall s",
                 "GPU s"},
      .rows = {}};
  for (const auto& row : comparison.strategies)
    grid.rows.push_back({row.label, std::to_string(row.trajectories), std::to_string(row.not_judged),
                         std::to_string(row.incomplete), share(row.compiled, row.trajectories),
                         share(row.callable, row.trajectories), share(row.correct, row.trajectories),
                         share(row.correct, row.callable), interval_of(row.speed),
                         std::to_string(row.flagged), std::to_string(row.calls), std::to_string(row.tokens),
                         fmt::format("{:.4f}", row.usd), std::to_string(row.evaluations),
                         fmt::format("{:.0f}", row.wall_seconds), fmt::format("{:.1f}", row.gpu_seconds)});
  return grid;
}

Grid contrasts_grid(const Comparison& comparison) {
  Grid grid{
      .title = "Strategies in pairs, over the tasks that both tried",
      .explanation =
          "Seeds of a task are averaged first. Speed-up: the first strategy's over the second's, "
          "geometric mean over tasks; a task without a faster kernel keeps eager LibTorch and counts 1. "
          "Both solved: the same as measured, over the tasks that both solved. Intervals are 95 %, by a "
          "bootstrap over tasks, each for itself; p is of a paired permutation test and, for tasks "
          "solved, McNemar's, each adjusted over all pairs by Holm's method. Tied: the interval of the "
          "ratio of the two kernels holds 1, or it lies within the noise floor.",
      .header = {"pair", "tasks", "speed-up [95 %]", "p", "won", "lost", "tied", "both solved [95 %]", "of",
                 "solved", "more", "fewer", "p"},
      .rows = {}};
  for (const auto& contrast : comparison.contrasts)
    grid.rows.push_back(
        {comparison.strategies[contrast.first].label + " / " + comparison.strategies[contrast.second].label,
         std::to_string(contrast.tasks), ratio_of_means(contrast.kept), p_text(contrast.p_holm),
         std::to_string(contrast.won), std::to_string(contrast.lost), std::to_string(contrast.tied),
         ratio_of_means(contrast.both_solved), std::to_string(contrast.both_solved.tasks),
         fmt::format("{:.0f}% / {:.0f}%", 100 * contrast.solved_first, 100 * contrast.solved_second),
         std::to_string(contrast.more_solved_first), std::to_string(contrast.more_solved_second),
         p_text(contrast.solved_p_holm)});
  return grid;
}

Grid differences_grid(const Comparison& comparison) {
  Grid grid{.title = "What differs between strategies",
            .explanation =
                "Settings that rows of one strategy do not share, and conditions that not all rows share.",
            .header = {"setting"},
            .rows = {}};
  for (const auto& row : comparison.strategies) grid.header.push_back(row.label);
  for (const auto& difference : comparison.differences) {
    std::vector<std::string> cells{difference.path};
    for (const auto& value : difference.values) cells.push_back(value.empty() ? "–" : value_text(value));
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

Grid fast_grid(const Comparison& comparison) {
  Grid grid{.title = "fast_p",
            .explanation =
                "Share of all trajectories whose kernel is correct and more than p times as fast as "
                "eager LibTorch; fast_0 is correctness. Kept: the median over all trajectories, with the "
                "quartiles, of the speed-up, which is 1 where eager LibTorch is kept.",
            .header = {"strategy"},
            .rows = {}};
  for (const double p : fast_thresholds) grid.header.push_back(fmt::format("fast_{:g}", p));
  grid.header.emplace_back("kept [quartiles]");
  for (const auto& row : comparison.strategies) {
    std::vector<std::string> cells{row.label};
    for (const int fast : row.fast) cells.push_back(share(fast, row.trajectories));
    const auto& [lower, median, upper] = row.kept_quartiles;
    cells.push_back(fmt::format("{} [{:.2f}, {:.2f}]", times(median), lower, upper));
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

Grid repair_grid(const Comparison& comparison) {
  Grid grid{.title = "Rescued and persistently correct kernels",
            .explanation =
                "Rescued: the first correct candidate followed a failing one of its trajectory. "
                "Persistent: none had failed before it. Both count scored kernels that are timed.",
            .header = {"strategy", "rescued", "their speed-up", "persistent", "their speed-up",
                       "rescued / persistent", "fail a final case"},
            .rows = {}};
  for (const auto& row : comparison.strategies)
    grid.rows.push_back({row.label, std::to_string(row.rescued.kernels), interval_of(row.rescued),
                         std::to_string(row.persistent.kernels), interval_of(row.persistent),
                         interval_of(row.repair), share(row.final_failed, row.correct)});
  return grid;
}

Grid rounds_grid(const Comparison& comparison) {
  Grid grid{
      .title = "Rounds",
      .explanation =
          "Candidates are the judged ones of the round; callable, solved and scored are the trajectories up "
          "to "
          "and with it. Newly solved: those that were not solved up to the round before, against the others "
          "(repair bias).",
      .header = {"strategy", "round", "candidates", "not judged", "compiled", "correct", "their speed-up",
                 "callable", "solved", "scored speed-up [95 %]", "newly solved", "others", "newly / others"},
      .rows = {}};
  for (const auto& row : comparison.rounds) {
    const auto& strategy = comparison.strategies[row.strategy];
    grid.rows.push_back({strategy.label, std::to_string(row.round), std::to_string(row.candidates),
                         std::to_string(row.not_judged), share(row.compiled, row.candidates),
                         share(row.correct, row.candidates), mean_of(row.speed),
                         share(row.callable, strategy.trajectories), share(row.solved, strategy.trajectories),
                         interval_of(row.best), mean_and_count(row.newly), mean_and_count(row.before),
                         interval_of(row.repair)});
  }
  return grid;
}

Grid categories_grid(const Comparison& comparison) {
  Grid grid{.title = "Categories",
            .explanation =
                "Correct trajectories, with Wilson's 95 % interval of their share, and the speed-up "
                "of their kernels. No strategy: tasks that none solved.",
            .header = {"category"},
            .rows = {}};
  for (const auto& row : comparison.strategies) grid.header.push_back(row.label);
  grid.header.emplace_back("no strategy");
  for (std::size_t category = 0; category < comparison.categories.size(); ++category) {
    std::vector<std::string> cells{comparison.categories[category]};
    for (const auto& of_strategy : comparison.by_category) {
      const auto& cell = of_strategy[category];
      auto text = share(cell.correct, cell.trajectories);
      if (cell.trajectories > 0) {
        const auto [low, high] = wilson_interval(cell.correct, cell.trajectories);
        text += fmt::format(" [{:.0f}, {:.0f}]", 100 * low, 100 * high);
      }
      if (cell.speed.kernels > 0) text += ", " + times(cell.speed.mean);
      if (cell.not_judged > 0) text += fmt::format(", {} not judged", cell.not_judged);
      cells.push_back(std::move(text));
    }
    const auto [unsolved, judged] = unsolved_by_all(comparison, comparison.categories[category]);
    cells.push_back(share(unsolved, judged));
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

Grid attribution_grid(const Comparison& comparison) {
  Grid grid{
      .title = "What solved tasks depend on",
      .explanation = "",
      .header = {"factor", "explains [95 %]", "adjusted", "alone", "deviance", "degrees", "per degree", "p"},
      .rows = {}};
  if (!comparison.attribution) return grid;
  const auto& found = *comparison.attribution;
  grid.explanation = fmt::format(
      "Logistic regression of {} solved of {} trajectories on the category of the task and the strategy. "
      "Explains: "
      "the share of the deviance ({:.1f}) by which it drops if the factor is added to the other; intervals "
      "are of a "
      "bootstrap over {} tasks. Adjusted: less one for each degree of freedom, which chance explains. p: how "
      "often categories dealt out to tasks at random, or outcomes to strategies, explain as much.",
      found.solved, found.trials, found.null_deviance, found.tasks);
  const auto percent = [](double part) { return fmt::format("{:.1f}%", 100 * part); };
  const auto add = [&](const char* name, const FactorEffect& factor) {
    grid.rows.push_back({name,
                         fmt::format("{} [{}, {}]", percent(factor.share), percent(factor.share_interval.low),
                                     percent(factor.share_interval.high)),
                         percent(factor.adjusted), percent(factor.share_alone),
                         fmt::format("{:.1f}", factor.drop), std::to_string(factor.degrees),
                         fmt::format("{:.1f}", factor.per_degree), p_text(factor.p)});
  };
  add("category", found.category);
  add("strategy", found.strategy);
  return grid;
}

Grid tasks_grid(const Comparison& comparison) {
  Grid grid{.title = "Tasks",
            .explanation =
                "The fastest scored kernel of each strategy. Flagged: the correct ones have figures that "
                "deserve doubt and do not count; !: they do, and count by request. Tied: no strategy's "
                "kernel is faster than every other's by more than their intervals and the noise floor.",
            .header = {"task", "category"},
            .rows = {}};
  for (const auto& row : comparison.strategies) grid.header.push_back(row.label);
  grid.header.emplace_back("fastest");
  for (const auto& task : comparison.tasks) {
    std::vector<std::string> cells{task.task, task.category};
    for (const auto& result : task.results) cells.push_back(result_text(result));
    const bool any = std::any_of(task.results.begin(), task.results.end(),
                                 [](const TaskResult& result) { return result.best.has_value(); });
    cells.push_back(task.fastest ? comparison.strategies[*task.fastest].label : any ? "tied" : "–");
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

Grid devices_grid(const Comparison& comparison) {
  Grid grid{.title = "The same kernels on several devices",
            .explanation = "",
            .header = {"device", "kernels", "speed-up [95 %]", "only fast here"},
            .rows = {}};
  if (!comparison.across_devices) return grid;
  const auto& across = *comparison.across_devices;
  const auto& worst = across.kernels.front();
  grid.explanation = fmt::format(
      "{} kernels were timed on two devices or more. The largest speed-up over the smallest is {} by the "
      "geometric mean, {} by the median, and {} for the least portable, of {}. Only fast here: faster than "
      "eager LibTorch, and slower than it on each other device, by the whole interval.",
      across.kernels.size(), interval_of(across.mean_ratio), times(across.median_ratio), times(worst.ratio),
      worst.task);
  for (std::size_t device = 0; device < across.devices.size(); ++device)
    grid.rows.push_back({across.devices[device], std::to_string(across.speeds[device].kernels),
                         interval_of(across.speeds[device]),
                         std::to_string(across.only_fast_counts[device])});
  return grid;
}

Grid across_devices_grid(const AcrossDevices& across) {
  Grid grid{
      .title = "Each kernel that was timed on several devices",
      .explanation =
          "Speed-up over eager LibTorch and, behind it, hardware efficiency, max(IOU, MFU). The ratio is of "
          "the largest speed-up over the smallest.",
      .header = {"task", "kernel"},
      .rows = {}};
  for (const auto& device : across.devices) grid.header.push_back(device);
  grid.header.insert(grid.header.end(), {"ratio", "only fast on"});
  for (const auto& kernel : across.kernels) {
    std::vector<std::string> cells{kernel.task, kernel.candidate.substr(0, 12)};
    for (const auto& on : kernel.by_device)
      cells.push_back(!on ? "–"
                      : on->efficiency > 0
                          ? fmt::format("{} {:.0f}%", times(on->speedup), 100 * on->efficiency)
                          : times(on->speedup));
    cells.push_back(times(kernel.ratio));
    cells.push_back(kernel.only_fast_device ? across.devices[*kernel.only_fast_device] : "–");
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

std::vector<Grid> grids(const Comparison& comparison) {
  std::vector<Grid> all{strategies_grid(comparison)};
  if (!comparison.contrasts.empty()) all.push_back(contrasts_grid(comparison));
  if (!comparison.differences.empty()) all.push_back(differences_grid(comparison));
  for (auto* grid_of : {&fast_grid, &repair_grid, &rounds_grid, &categories_grid})
    all.push_back(grid_of(comparison));
  if (comparison.attribution) all.push_back(attribution_grid(comparison));
  for (auto* grid_of : {&efficiency_grid, &precisions_grid, &quantization_grid, &structure_grid, &code_grid})
    if (auto grid = grid_of(comparison); !grid.rows.empty()) all.push_back(std::move(grid));
  all.push_back(tasks_grid(comparison));
  if (comparison.across_devices) all.push_back(devices_grid(comparison));
  for (const auto& suite : comparison.suites) {
    auto more = suite_grids(suite);
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace ridgeline::compare
