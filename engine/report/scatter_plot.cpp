// Draws two strategies against each other, a dot a task.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/report/chart.hpp"
#include "engine/report/html.hpp"
#include "engine/report/plots.hpp"

namespace ridgeline::report {
namespace {

using compare::Comparison;
using compare::Contrast;
using compare::TaskDifference;
using compare::TaskResultKind;

const char* colour_of(TaskResultKind kind) {
  switch (kind) {
    case TaskResultKind::won:
      return "won";
    case TaskResultKind::lost:
      return "lost";
    case TaskResultKind::tied:
      return "tied";
  }
  return "";
}

/// The pairs in the order in which a reader wants them: those that show a difference first, among them those
/// of the best strategy, the hardest competitor before the others; then by p.
std::vector<const Contrast*> by_interest(const Comparison& comparison) {
  std::vector<const Contrast*> order;
  for (const auto& contrast : comparison.contrasts) order.push_back(&contrast);
  std::stable_sort(order.begin(), order.end(), [&](const Contrast* a, const Contrast* b) {
    const auto shown = [&](const Contrast* c) {
      return compare::is_shown(*c, comparison.conclusion.measure);
    };
    const auto rank = [&](const Contrast* c) {
      const auto& best = comparison.conclusion.best;
      const bool of_best = best && (c->first == *best || c->second == *best);
      return std::tuple(!shown(c), !of_best, of_best ? std::abs(std::log(c->kept.mean)) : c->p);
    };
    return rank(a) < rank(b);
  });
  return order;
}

/// The tasks on which the two differ most; `tasks` are sorted by that.
std::string largest_differences(const Contrast& contrast, const std::vector<const TaskDifference*>& tasks,
                                const std::string& first, const std::string& second, const Targets& targets) {
  constexpr std::size_t most_rows = 9;
  std::vector<std::vector<Markup>> rows;
  for (const auto* task : tasks) {
    if (rows.size() == most_rows) break;
    rows.push_back(
        {{link_to(targets.task(task->task), task->task)},
         {fmt::format("{:.2f}×", task->first)},
         {fmt::format("{:.2f}×", task->second)},
         {fmt::format("{:.2f}× [{:.2f}, {:.2f}]", task->ratio, task->interval.low, task->interval.high)},
         {std::string(to_string(task->result))}});
  }
  return fmt::format("<h3>{}</h3>\n", tasks.size() > most_rows ? "Largest differences" : "All tasks") +
         table_html(fmt::format("differences-{}-{}", contrast.first, contrast.second),
                    {"task", first, second, "ratio [95 %]", "result"}, rows);
}

std::string scatter_of(const Comparison& comparison, const Contrast& contrast, std::size_t most,
                       const Targets& targets) {
  const auto& first = comparison.strategies[contrast.first].label;
  const auto& second = comparison.strategies[contrast.second].label;
  double high = 2;
  for (const auto& task : contrast.differences) high = std::max({high, task.first, task.second});
  high *= 1.1;
  Chart chart({.title = second + ": speed-up kept", .low = 0.95, .high = high, .logarithmic = true},
              {.title = first + ": speed-up kept", .low = 0.95, .high = high, .logarithmic = true});
  const double floor = std::max(1.0, contrast.floor);
  if (floor > 1)
    chart.area({{0.95, 0.95},
                {0.95, 0.95 * floor},
                {high / floor, high},
                {high, high},
                {high, high / floor},
                {0.95 * floor, 0.95}},
               "floor");
  chart.line({{0.95, 0.95}, {high, high}}, "guide");
  std::vector<const TaskDifference*> tasks;
  for (const auto& task : contrast.differences) tasks.push_back(&task);
  std::stable_sort(tasks.begin(), tasks.end(), [](const auto* a, const auto* b) {
    return std::abs(std::log(a->ratio)) > std::abs(std::log(b->ratio));
  });
  const auto table = largest_differences(contrast, tasks, first, second, targets);
  tasks.resize(std::min(tasks.size(), most));
  std::reverse(tasks.begin(), tasks.end());  // the largest are drawn last, above the others
  std::vector<Dot> dots;
  for (const auto* task : tasks)
    dots.push_back({.x = task->second,
                    .y = task->first,
                    .tip = fmt::format("{}: {:.2f}× and {:.2f}×, ratio {:.2f} [{:.2f}, {:.2f}], {}",
                                       task->task, task->first, task->second, task->ratio, task->interval.low,
                                       task->interval.high, to_string(task->result)),
                    .target = targets.task(task->task),
                    .kind = colour_of(task->result)});
  chart.dots(dots);
  auto html = chart.svg(first + " against " + second + ", a dot a task");
  html += fmt::format(
      "<p class=\"key\"><span class=\"won\">●</span> {}: {} <span class=\"lost\">●</span> {}: {} "
      "<span class=\"tied\">●</span> tied: {}</p>\n",
      escaped(first), contrast.won, escaped(second), contrast.lost, contrast.tied);
  if (tasks.size() < contrast.differences.size())
    html += fmt::format("<p class=\"quiet\">Drawn: {} of {} tasks, those with the largest differences.</p>\n",
                        tasks.size(), contrast.differences.size());
  return "<div class=\"charts\"><div>" + html + "</div><div>" + table + "</div></div>\n";
}

}  // namespace

std::string scatter_views(const Comparison& comparison, const Targets& targets) {
  const auto order = by_interest(comparison);
  const auto count = std::min(order.size(), most_views);
  std::vector<View> views;
  for (std::size_t i = 0; i < count; ++i)
    views.push_back(
        {comparison.strategies[order[i]->first].label + " / " + comparison.strategies[order[i]->second].label,
         scatter_of(comparison, *order[i], most_dots / count, targets)});
  auto html = views_html("pair", "Pair of strategies", views);
  if (order.size() > count)
    html += fmt::format(
        "<p class=\"quiet\">{} pairs more are in the table; <code>ridgeline compare --json</code> has their "
        "tasks.</p>\n",
        order.size() - count);
  return html;
}

}  // namespace ridgeline::report
