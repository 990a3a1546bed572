#include "engine/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/compare/grid.hpp"
#include "engine/compare/suite_grids.hpp"
#include "engine/core/shell_word.hpp"
#include "engine/report/assets.hpp"
#include "engine/report/embedded.hpp"
#include "engine/report/html.hpp"
#include "engine/report/made_with.hpp"
#include "engine/report/tables.hpp"

namespace ridgeline::report {
namespace {

using compare::Comparison;

std::string grid_section(const std::string& id, const compare::Grid& grid, const std::string& before = "") {
  return section(id, grid.title, grid.explanation, before + table_html(id + "-table", grid));
}

/// The sentence as a headline and the rest of it.
std::string verdict(const Comparison& comparison) {
  auto sentence = compare::as_line(comparison.conclusion.sentence) + ".";
  auto end = sentence.find(": ");
  if (!comparison.conclusion.shown.empty()) end = std::min(end, sentence.find(", over "));
  std::string rest;
  if (end != std::string::npos) {
    rest = sentence.substr(sentence.find_first_not_of(":, ", end));
    sentence.resize(end);
    for (const auto* begin : {"the ", "than ", "over "})  // what else begins it is a name
      if (rest.starts_with(begin)) rest.front() = static_cast<char>(rest.front() - 'a' + 'A');
  }
  return fmt::format("<strong>{}</strong>{}", escaped(sentence),
                     rest.empty() ? "" : "<p>" + escaped(rest) + "</p>");
}

std::string fact(const std::string& figure, const char* name) {
  return "<li><b>" + escaped(figure) + "</b>" + name + "</li>";
}

std::string facts(const Comparison& comparison) {
  std::int64_t calls = 0, evaluations = 0, trajectories = 0;
  double usd = 0;
  std::set<std::string> models;
  for (const auto& row : comparison.strategies) {
    calls += row.calls;
    evaluations += row.evaluations;
    trajectories += row.trajectories;
    usd += row.usd;
    models.insert(row.identity.model);
  }
  auto out = "<ul class=\"facts\">" + fact(std::to_string(comparison.strategies.size()), "strategies") +
             fact(std::to_string(comparison.tasks.size()), "tasks") +
             fact(std::to_string(trajectories), "trajectories") + fact(std::to_string(calls), "calls") +
             fact(std::to_string(evaluations), "evaluations");
  if (usd > 0) out += fact(fmt::format("{:.2f}", usd), "USD");
  if (models.size() == 1 && !models.begin()->empty()) out += fact(*models.begin(), "");
  return out + "</ul>";
}

std::string head(const Comparison& comparison) {
  auto out = fmt::format("<div class=\"conclusion{}\">{}{}</div>\n",
                         comparison.conclusion.shown.empty() ? "" : " shown", verdict(comparison),
                         facts(comparison));
  out += "<p>Equal budget: " + escaped(compare::describe_budget(comparison)) + ".</p>\n";
  out += "<p class=\"quiet\">" + escaped(compare::as_line(describe(comparison.noise_floors))) + ".</p>\n";
  if (comparison.notes.empty()) return out;
  out += "<ul class=\"notes\">\n";
  for (const auto& note : comparison.notes) out += "<li>" + escaped(note) + "</li>\n";
  return out + "</ul>\n";
}

struct Heading {
  const char* id;
  const char* text;
};

std::string contents(const Comparison& comparison) {
  std::string out = "<nav class=\"contents\" aria-label=\"Contents\">";
  for (const auto& [id, text] :
       {Heading{"strategies", "Strategies"}, Heading{"pairs", "Pairs"}, Heading{"budgets", "Budgets"},
        Heading{"fast", "fast_p"}, Heading{"categories", "Categories"}, Heading{"roofline", "Roofline"},
        Heading{"rounds", "Rounds"}, Heading{"tasks", "Tasks"}, Heading{"made", "Made with"}}) {
    if (comparison.contrasts.empty() && std::string_view(id) == "pairs") continue;
    if (comparison.rooflines.empty() && std::string_view(id) == "roofline") continue;
    out += fmt::format("<a href=\"#{}\">{}</a>", id, text);
  }
  return out + "</nav>\n";
}

std::string pairs_section(const Comparison& comparison, const Targets& targets) {
  if (comparison.contrasts.empty()) return "";
  const auto grid = compare::contrasts_grid(comparison);
  return section(
      "pairs", grid.title,
      "A dot is a task, as a user keeps it: 1 where eager LibTorch stays. On the diagonal both are as "
      "fast; the grey band is the noise floor. A click opens the task.",
      scatter_views(comparison, targets) + pairs_table(comparison) + "<p class=\"quiet\">" +
          escaped(grid.explanation) + "</p>\n");
}

std::string attribution(const Comparison& comparison) {
  if (!comparison.attribution) return "";
  const auto grid = compare::attribution_grid(comparison);
  return "<h3>" + escaped(grid.title) + "</h3>\n" + table_html("attribution-table", grid) +
         "<p class=\"quiet\">" + escaped(grid.explanation) + "</p>\n";
}

/// A table below a section's charts; "" if it has no rows.
std::string table_below(const char* id, const compare::Grid& grid) {
  if (grid.rows.empty()) return "";
  return "<h3>" + escaped(grid.title) + "</h3>\n" + table_html(id, grid) + "<p class=\"quiet\">" +
         escaped(grid.explanation) + "</p>\n";
}

std::string rounds_section(const Comparison& comparison) {
  const auto rounds = compare::rounds_grid(comparison), repair = compare::repair_grid(comparison);
  return section("rounds", "Rounds and repair",
                 "How much later rounds add, and whether kernels that had to be repaired are slower.",
                 "<div class=\"charts\"><div>" + rounds_plot(comparison) + "</div><div><h3>" +
                     escaped(repair.title) + "</h3>\n" + table_html("repair-table", repair) +
                     "<p class=\"quiet\">" + escaped(repair.explanation) +
                     "</p></div></div>\n<h3>By round</h3>\n" + table_html("rounds-table", rounds) +
                     "<p class=\"quiet\">" + escaped(rounds.explanation) + "</p>\n");
}

std::string body(const Comparison& comparison, const std::vector<Source>& sources, const Targets& targets) {
  const auto show_command = [&](std::size_t store) {
    return "ridgeline show " +
           (store < sources.size() ? shell_word(sources[store].path) : std::string("STORE"));
  };
  auto out = head(comparison) + contents(comparison) +
             grid_section("strategies", compare::strategies_grid(comparison));
  if (!comparison.differences.empty())
    out += grid_section("differences", compare::differences_grid(comparison));
  out += pairs_section(comparison, targets);
  out += section(
      "budgets", "What a budget buys",
      "Means over all trajectories with 95 % intervals, by a bootstrap over tasks. Speed-up kept is a "
      "geometric mean in which a trajectory without a faster kernel counts 1.",
      curve_views(comparison));
  const auto fast = compare::fast_grid(comparison);
  out += section("fast", fast.title, fast.explanation,
                 "<div class=\"charts\"><div>" + fast_plot(comparison) + "</div><div>" +
                     table_html("fast-table", fast) + "</div></div>\n");
  int suites = 0;
  for (const auto& suite : comparison.suites)
    for (const auto& grid : compare::suite_grids(suite))
      out += grid_section(fmt::format("suite-{}", suites++), grid);
  out += section("categories", "Categories",
                 "Share of trajectories with a correct kernel; below it how many, and the geometric mean of "
                 "their speed-ups. A category leads to its tasks.",
                 heat_map(comparison) + attribution(comparison) +
                     table_below("unsolved-table", compare::categories_grid(comparison)) +
                     table_below("precisions-table", compare::precisions_grid(comparison)) +
                     table_below("quantization-table", compare::quantization_grid(comparison)) +
                     table_below("structure-table", compare::structure_grid(comparison)) +
                     table_below("code-table", compare::code_grid(comparison)));
  if (const auto roofline = roofline_views(comparison, targets); !roofline.empty())
    out +=
        section("roofline", "Roofline",
                "A dot is a timed case of the fastest kernel of a strategy on a task; lines are the device's "
                "measured roofs. A click opens what happened.",
                roofline + table_below("efficiency-table", compare::efficiency_grid(comparison)));
  out += rounds_section(comparison);
  if (comparison.across_devices)
    out += grid_section("devices", compare::devices_grid(comparison)) +
           grid_section("kernels-on-devices", compare::across_devices_grid(*comparison.across_devices));
  const auto tasks = compare::tasks_grid(comparison);
  return out + section("tasks", tasks.title, tasks.explanation,
                       tasks_table(comparison, targets) + "<h3>What happened on each task</h3>\n" +
                           "<p class=\"quiet\"><code>" + escaped(show_command(0)) +
                           " NUMBER</code> shows a trajectory; its number stands before its speed-up.</p>\n" +
                           task_details(comparison, targets, show_command));
}

Targets targets_with(std::function<std::string(const compare::TrajectoryResult&)> page_of) {
  return {.trajectory = std::move(page_of),
          .task = [](const std::string& task) { return "#" + task_id(task); }};
}

std::string trajectories_section(const Embedded& embedded) {
  if (embedded.chosen.empty()) return "";
  const auto explanation =
      fmt::format("{} trajectories with prompts, kernels, verdicts and raw samples.", embedded.chosen.size());
  std::string more;
  if (embedded.left_out > 0)
    more = fmt::format(
        "<p class=\"quiet\">{} more are not in this file: <code>ridgeline show STORE NUMBER</code> shows "
        "one, "
        "<code>ridgeline serve STORE</code> all.</p>\n",
        embedded.left_out);
  return section("trajectories", "Trajectories", explanation, more + embedded.html);
}

}  // namespace

std::string report_sections(const Comparison& comparison, const std::vector<Source>& sources,
                            const std::function<std::string(const compare::TrajectoryResult&)>& page_of) {
  return body(comparison, sources, targets_with(page_of)) +
         section("made", "Made with", "", made_with(comparison, sources));
}

std::string html_report(const Comparison& comparison, const std::vector<Source>& sources) {
  const auto embedded = embed_trajectories(comparison, sources, most_trajectory_bytes);
  std::set<std::pair<std::size_t, store::Id>> within;
  for (const auto index : embedded.chosen)
    within.emplace(comparison.trajectories[index].store, comparison.trajectories[index].id);
  const auto page_of = [&](const compare::TrajectoryResult& result) {
    return within.contains({result.store, result.id}) ? "#" + trajectory_id(result) : std::string();
  };
  std::string title;
  for (const auto& name : comparison.campaigns) title += (title.empty() ? "" : ", ") + name;
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><link rel=\"icon\" href=\"data:,\">"
      "<title>" +
      escaped(title.empty() ? "Ridgeline" : title + " – Ridgeline") + "</title>\n<style>";
  out += asset("report.css");
  out += "</style></head><body>\n<header><h1>" +
         escaped(title.empty() ? "Strategies at equal budget" : title + ": strategies at equal budget") +
         "</h1></header>\n<main>\n";
  out += body(comparison, sources, targets_with(page_of)) + trajectories_section(embedded) +
         section("made", "Made with", "", made_with(comparison, sources));
  out += "</main><p id=\"hint\" role=\"status\" hidden></p>\n<script>";
  out += asset("report.js");
  return out + "</script></body></html>\n";
}

}  // namespace ridgeline::report
