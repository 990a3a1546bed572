#include "engine/report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/compare/grid.hpp"
#include "engine/report/html.hpp"

namespace ridgeline::report {
namespace {

using compare::Comparison;
using compare::Contrast;
using compare::TrajectoryEnd;
using compare::TrajectoryResult;

/// The interval of a ratio on a logarithmic line from 1/`most` to `most`.
std::string interval_svg(const Contrast& contrast, double most, bool shown) {
  const auto at = [most](double ratio) {
    return 90 + 84 * std::clamp(std::log(ratio) / std::log(most), -1.0, 1.0);
  };
  const auto& kept = contrast.kept;
  const char* sure = shown ? " sure" : "";
  return fmt::format(
      "<svg viewBox=\"0 0 180 20\" class=\"forest\" role=\"img\" aria-label=\"{:.2f} [{:.2f}, {:.2f}]\">"
      "<path d=\"M90 1V19\" class=\"zero\"/><path d=\"M{:.1f} 10H{:.1f}\" class=\"span{}\"/>"
      "<circle cx=\"{:.1f}\" cy=\"10\" r=\"4\" class=\"mean{}\"/></svg>",
      kept.mean, kept.interval.low, kept.interval.high, at(kept.interval.low), at(kept.interval.high), sure,
      at(kept.mean), sure);
}

std::string chip(const TrajectoryResult& result, const std::string& page) {
  const char* kind = "";
  std::string text;
  switch (result.state) {
    case TrajectoryEnd::solved:
      kind = "y";
      text = result.score.timed() ? fmt::format("{:.2f}×", result.score.speedup) : "correct";
      break;
    case TrajectoryEnd::unsolved:
      kind = "n";
      text = "–";
      break;
    case TrajectoryEnd::not_judged:
      text = "not judged";
      break;
    case TrajectoryEnd::incomplete:
      text = "incomplete";
      break;
  }
  if (page.empty()) return fmt::format("<b class=\"{}\">#{} {}</b>", kind, result.id, text);
  return fmt::format("<a class=\"{}\" href=\"{}\">#{} {}</a>", kind, escaped(page), result.id, text);
}

/// A task's trajectories of one strategy, apart by store.
std::string chips(const std::vector<const TrajectoryResult*>& results, const Targets& targets,
                  const std::function<std::string(std::size_t)>& show_command) {
  std::map<std::size_t, std::string> by_store;
  for (const auto* result : results) by_store[result->store] += chip(*result, targets.trajectory(*result));
  std::string out;
  for (const auto& [store, html] : by_store)
    out += fmt::format("<div class=\"chips\" data-show=\"{}\">{}</div>", escaped(show_command(store)), html);
  return out;
}

}  // namespace

std::string task_id(const std::string& task) {
  return "task-" + id_of(task);
}

std::string pairs_table(const Comparison& comparison) {
  const auto grid = compare::contrasts_grid(comparison);
  double most = 1.1;
  for (const auto& contrast : comparison.contrasts)
    for (const double end : {contrast.kept.interval.low, contrast.kept.interval.high})
      if (end > 0) most = std::max({most, end, 1 / end});
  auto head = grid.header;
  head.insert(head.begin() + 2, "slower · faster");
  std::vector<std::vector<Markup>> rows;
  for (std::size_t i = 0; i < grid.rows.size(); ++i) {
    std::vector<Markup> cells;
    for (const auto& cell : grid.rows[i]) cells.push_back({escaped(cell)});
    const auto& contrast = comparison.contrasts[i];
    cells.insert(cells.begin() + 2,
                 {interval_svg(contrast, most, compare::is_shown(contrast, comparison.conclusion.measure))});
    rows.push_back(std::move(cells));
  }
  return table_html("pairs-table", head, rows);
}

std::string heat_map(const Comparison& comparison) {
  std::string out =
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\"><table class=\"heat\"><thead><tr><th "
      "scope=\"col\">category</th>";
  for (const auto& row : comparison.strategies) out += "<th scope=\"col\">" + escaped(row.label) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (std::size_t k = 0; k < comparison.categories.size(); ++k) {
    const auto name = escaped(comparison.categories[k]);
    out += fmt::format("<tr><td><a href=\"#tasks\" data-filter=\"&quot;{0}&quot;\">{0}</a></td>", name);
    for (const auto& of_strategy : comparison.by_category) {
      const auto& cell = of_strategy[k];
      if (cell.trajectories == 0) {
        out += "<td style=\"--v:0\">–</td>";
        continue;
      }
      const double share = static_cast<double>(cell.correct) / cell.trajectories;
      auto speed = cell.speed.kernels > 0 ? fmt::format(" · {:.2f}×", cell.speed.mean) : std::string();
      if (cell.not_judged > 0) speed += fmt::format(" · {} not judged", cell.not_judged);
      out += fmt::format("<td style=\"--v:{:.2f}\"><b>{:.0f} %</b><small>{}/{}{}</small></td>", share,
                         share * 100, cell.correct, cell.trajectories, speed);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string tasks_table(const Comparison& comparison, const Targets& targets) {
  const auto grid = compare::tasks_grid(comparison);
  std::vector<std::vector<Markup>> rows;
  for (const auto& row : grid.rows) {
    auto& cells = rows.emplace_back();
    for (const auto& cell : row) cells.push_back({escaped(cell)});
    cells[0].html = link_to(targets.task(row[0]), row[0]);
  }
  return table_html("task-table", grid.header, rows);
}

std::string task_details(const Comparison& comparison, const Targets& targets,
                         const std::function<std::string(std::size_t)>& show_command) {
  std::map<std::string, std::vector<std::vector<const TrajectoryResult*>>> results;
  for (const auto& result : comparison.trajectories) {
    auto& of_task = results[result.task];
    of_task.resize(comparison.strategies.size());
    of_task[result.strategy].push_back(&result);
  }
  const auto grid = compare::tasks_grid(comparison);
  std::map<std::string, const std::vector<std::string>*> cells;  // of finished tasks, by name
  for (const auto& row : grid.rows) cells[row[0]] = &row;
  std::string out;
  for (const auto& [task, of_task] : results) {
    const auto known = cells.find(task);
    std::vector<std::vector<Markup>> rows;
    for (std::size_t i = 0; i < of_task.size(); ++i) {
      if (of_task[i].empty()) continue;
      const auto solved = std::ranges::count_if(
          of_task[i], [](const auto* result) { return result->state == TrajectoryEnd::solved; });
      rows.push_back({{escaped(comparison.strategies[i].label)},
                      {fmt::format("{} of {}", solved, of_task[i].size())},
                      {known == cells.end() ? "–" : escaped((*known->second)[i + 2])},
                      {chips(of_task[i], targets, show_command)}});
    }
    const auto fastest = known == cells.end() ? std::string("–") : known->second->back();
    out += fmt::format(
        "<details class=\"task\" id=\"{}\"><summary><b>{}</b> <span class=\"quiet\">{} · fastest: "
        "{}</span></summary>"
        "{}</details>\n",
        task_id(task), escaped(task), escaped(known == cells.end() ? "" : (*known->second)[1]),
        escaped(fastest),
        table_html("trajectories-of-" + id_of(task), {"strategy", "solved", "best", "trajectories"}, rows));
  }
  return out;
}

}  // namespace ridgeline::report
