#include "engine/compare/suite_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace ridgeline::compare {
namespace {

constexpr std::array rules{CorrectnessRule::faithful, CorrectnessRule::hardened};

/// The place of the headline's p among the thresholds.
std::size_t headline_place(const suites::ScoringRule& rule) {
  const auto found = std::find(rule.thresholds.begin(), rule.thresholds.end(), rule.headline);
  if (found == rule.thresholds.end())
    throw std::logic_error(fmt::format("suite {}: the headline p is none of its thresholds", rule.title));
  return static_cast<std::size_t>(found - rule.thresholds.begin());
}

std::string percent(double share) {
  return fmt::format("{:.1f}%", 100 * share);
}

std::string fast_text(const LevelScore& score, const BaselineScore& against, std::size_t place) {
  return score.tasks == 0 ? "–" : percent(against.fast[place]);
}

std::string speed_text(const Speed& speed) {
  if (speed.kernels == 0) return "–";
  return fmt::format("{:.2f}× [{:.2f}, {:.2f}]", speed.mean, speed.interval.low, speed.interval.high);
}

std::string pass_text(const LevelScore& score, int k) {
  for (const auto& [count, share] : score.pass_at)
    if (count == k) return percent(share);
  return "–";
}

std::string level_name(const SuiteScore& score, std::size_t level) {
  return level < score.levels.size() ? score.levels[level] : "all";
}

bool any_ending(const SuiteScore& score, std::size_t ending) {
  return std::any_of(score.strategies.begin(), score.strategies.end(), [&](const StrategyScore& row) {
    return std::any_of(row.levels.back().begin(), row.levels.back().end(), [&](const LevelScore& level) {
      return level.answers[ending] + level.endings[ending] > 0;
    });
  });
}

}  // namespace

Grid paper_grid(const SuiteScore& score) {
  const auto& figures = score.rule;
  const auto faster = figures.headline == 1
                          ? "faster than"
                          : fmt::format("more than {:g} times as fast as", figures.headline);
  Grid grid{
      .title = fmt::format("{}: fast_{:g} by {}", figures.title, figures.headline, figures.group),
      .explanation = fmt::format(
          "Share of a {}'s tasks whose answer is right and {} eager PyTorch. Faithful: by {}'s rule, over "
          "all tasks. Hardened: by ours, over those that are neither degenerate nor out of reach.",
          figures.group, faster, figures.title),
      .header = {"strategy"},
      .rows = {}};
  for (const auto& level : score.levels)
    for (const auto rule : rules) grid.header.push_back(fmt::format("{} {}", level, to_string(rule)));
  for (const auto& row : score.strategies) {
    std::vector<std::string> cells{row.label};
    for (std::size_t level = 0; level < score.levels.size(); ++level)
      for (const auto& one : row.levels[level])
        cells.push_back(fast_text(one, one.eager, headline_place(figures)));
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

namespace {

/// Makes a table of every level against one baseline, with pass@k if `pass`.
template <class Baseline>
Grid figures_grid(const SuiteScore& score, Grid grid, const Baseline& against_of, bool pass) {
  grid.header = {"strategy", score.rule.group, "rule", "tasks", "not judged"};
  for (const double p : score.rule.thresholds) grid.header.push_back(fmt::format("fast_{:g}", p));
  grid.header.insert(grid.header.end(), {"speed-up [95 %]", "not timed"});
  if (pass)
    for (const int k : score.rule.pass_counts) grid.header.push_back(fmt::format("pass@{}", k));
  for (const auto& row : score.strategies)
    for (std::size_t level = 0; level < row.levels.size(); ++level)
      for (const auto rule : rules) {
        const auto& one = row.levels[level][static_cast<std::size_t>(rule)];
        const BaselineScore& against = against_of(one);
        std::vector<std::string> cells{row.label, level_name(score, level), std::string(to_string(rule)),
                                       std::to_string(one.tasks), std::to_string(one.not_judged)};
        for (std::size_t i = 0; i < score.rule.thresholds.size(); ++i)
          cells.push_back(fast_text(one, against, i));
        cells.push_back(speed_text(against.speed));
        cells.push_back(std::to_string(against.untimed));
        if (pass)
          for (const int k : score.rule.pass_counts) cells.push_back(pass_text(one, k));
        grid.rows.push_back(std::move(cells));
      }
  return grid;
}

}  // namespace

Grid levels_grid(const SuiteScore& score) {
  return figures_grid(
      score,
      {.title = score.rule.title + ": all figures",
       .explanation =
           "fast_p: share of the tasks with a right answer more than p times as fast as eager PyTorch; "
           "fast_0 is correctness. Speed-up: geometric mean over right, timed answers. pass@k: chance "
           "that one of k samples is right, where every task has k.",
       .header = {},
       .rows = {}},
      [](const LevelScore& one) -> const BaselineScore& { return one.eager; }, true);
}

Grid compiled_grid(const SuiteScore& score, std::size_t mode) {
  return figures_grid(
      score,
      {.title = score.rule.title + ": against torch.compile, mode " + score.modes.at(mode),
       .explanation =
           "The same answers against the tasks' own modules under torch.compile, by way of eager PyTorch, "
           "which was timed beside both. Not timed: also right answers to tasks that torch.compile did not "
           "get right, or was not measured for.",
       .header = {},
       .rows = {}},
      [mode](const LevelScore& one) -> const BaselineScore& { return one.compiled.at(mode); }, false);
}

Grid endings_grid(const SuiteScore& score) {
  Grid grid{
      .title = score.rule.title + ": how answers end",
      .explanation =
          "Answers to all tasks in the categories of KernelBench: of each trajectory the one that is scored, "
          "and all of them.",
      .header = {"strategy", "rule", "answers"},
      .rows = {}};
  const auto names = enum_names(Ending{});
  for (std::size_t i = 0; i < ending_count; ++i)
    if (any_ending(score, i)) grid.header.emplace_back(names[i].name);
  const auto add = [&](const StrategyScore& row, CorrectnessRule rule, const char* which,
                       const std::array<int, ending_count>& counts) {
    std::vector<std::string> cells{row.label, std::string(to_string(rule)), which};
    for (std::size_t i = 0; i < ending_count; ++i)
      if (any_ending(score, i)) cells.push_back(std::to_string(counts[i]));
    grid.rows.push_back(std::move(cells));
  };
  for (const auto& row : score.strategies)
    for (const auto rule : rules) {
      const auto& one = row.levels.back()[static_cast<std::size_t>(rule)];
      add(row, rule, "scored", one.endings);
      add(row, rule, "all", one.answers);
    }
  return grid;
}

Grid apart_grid(const SuiteScore& score) {
  Grid grid{
      .title = score.rule.title + ": tasks apart",
      .explanation =
          "Degenerate tasks, with the answers that are right by the suite's public rule, and tasks that "
          "nobody was asked about.",
      .header = {"task", "standing"},
      .rows = {}};
  for (const auto& row : score.strategies) grid.header.push_back(row.label);
  grid.header.emplace_back("why");
  for (const auto& [task, passed] : score.apart) {
    std::vector<std::string> cells{task.file, std::string(to_string(task.standing))};
    for (const auto& [right, all] : passed)
      cells.push_back(all == 0 ? "–" : fmt::format("{}/{}", right, all));
    cells.push_back(task.reason.substr(0, task.reason.find('\n')));
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

std::vector<Grid> suite_grids(const SuiteScore& score) {
  std::vector<Grid> grids{paper_grid(score), levels_grid(score)};
  for (std::size_t mode = 0; mode < score.modes.size(); ++mode) grids.push_back(compiled_grid(score, mode));
  grids.push_back(endings_grid(score));
  grids.push_back(apart_grid(score));
  std::erase_if(grids, [](const Grid& grid) { return grid.rows.empty(); });
  return grids;
}

}  // namespace ridgeline::compare
