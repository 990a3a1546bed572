#include "engine/report/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/report/chart.hpp"
#include "engine/report/html.hpp"

namespace ridgeline::report {
namespace {

using compare::Comparison;
using compare::Unit;

struct UnitWords {
  const char* name;
  const char* axis;
};

UnitWords words_of(Unit unit) {
  switch (unit) {
    case Unit::calls:
      return {"calls", "calls to a model, each trajectory"};
    case Unit::tokens:
      return {"tokens", "tokens, each trajectory"};
    case Unit::usd:
      return {"USD", "USD, each trajectory"};
    case Unit::evaluations:
      return {"evaluations", "evaluations, each trajectory"};
    case Unit::wall_seconds:
      return {"wall seconds", "seconds of wall time, each trajectory"};
    case Unit::gpu_seconds:
      return {"GPU seconds", "seconds of the judge's device, each trajectory"};
  }
  return {"", ""};
}

/// Curves of one figure against one budget: speed-ups, or the share solved.
std::string curve_chart(const compare::UnitCurves& curves, bool solved) {
  const auto value = [&](const compare::CurvePoint& point) { return solved ? point.correct : point.speedup; };
  const auto interval = [&](const compare::CurvePoint& point) {
    return solved ? point.correct_interval : point.speedup_interval;
  };
  double most = 0, highest = solved ? 1 : 1.05;
  for (const auto& curve : curves.curves)
    for (const auto& point : curve) {
      most = std::max(most, point.budget);
      highest = std::max(highest, interval(point).high);
    }
  const double end = most > 0 ? most * 1.04 : 1;  // room for the last step
  Chart chart({.title = words_of(curves.unit).axis, .low = 0, .high = end},
              {.title = solved ? "solved" : "speed-up kept",
               .low = solved ? 0.0 : 1.0,
               .high = solved ? 1.0 : 1 + (highest - 1) * 1.05,
               .percent = solved});
  std::vector<Chart::Points> lines;
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    Chart::Points low, high, line;
    for (const auto& point : curves.curves[i]) {
      low.emplace_back(point.budget, interval(point).low);
      high.emplace_back(point.budget, interval(point).high);
      line.emplace_back(point.budget, value(point));
    }
    for (auto* points : {&low, &high, &line}) points->emplace_back(end, points->back().second);
    chart.band(low, high, i);
    lines.push_back(std::move(line));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) chart.steps(lines[i], i);
  return chart.svg(fmt::format("{} of each strategy against {}", solved ? "Share solved" : "Speed-up kept",
                               words_of(curves.unit).name));
}

}  // namespace

std::vector<std::string> labels_of(const Comparison& comparison) {
  std::vector<std::string> labels;
  for (const auto& row : comparison.strategies) labels.push_back(row.label);
  return labels;
}

std::string curve_views(const Comparison& comparison) {
  std::vector<View> views;
  for (const auto& curves : comparison.unit_curves)
    views.push_back({words_of(curves.unit).name, "<div class=\"pair\">" + curve_chart(curves, false) +
                                                     curve_chart(curves, true) + "</div>"});
  return views_html("budget", "Budget", views) + legend_html(labels_of(comparison), false);
}

std::string fast_plot(const Comparison& comparison) {
  double high = 2;
  for (const auto& row : comparison.strategies)
    if (!row.speedups.empty()) high = std::max(high, row.speedups.back() * 1.05);
  Chart chart({.title = "p: times as fast as eager LibTorch", .low = 0, .high = high},
              {.title = "fast_p", .low = 0, .high = 1, .percent = true});
  chart.line({{1, 0}, {1, 1}}, "guide");
  for (std::size_t i = 0; i < comparison.strategies.size(); ++i) {
    const auto& row = comparison.strategies[i];
    const double all = std::max(1, row.trajectories);
    // The share with more than p falls at each kernel's own speed-up. Kernels without a time count only at p
    // = 0.
    auto left = static_cast<double>(row.speedups.size());
    Chart::Points points{{0, row.correct / all}, {0, left / all}};
    for (const double speedup : row.speedups) points.emplace_back(speedup, --left / all);
    points.emplace_back(high, 0);
    chart.steps(points, i);
  }
  return chart.svg("fast_p of each strategy against p") + legend_html(labels_of(comparison), false);
}

std::string rounds_plot(const Comparison& comparison) {
  int last = 0;
  for (const auto& row : comparison.rounds) last = std::max(last, row.round);
  if (last == 0) return "";
  Chart chart({.title = "round", .low = 0, .high = last + 0.2},
              {.title = "solved up to it", .low = 0, .high = 1, .percent = true});
  std::vector<Chart::Points> lines(comparison.strategies.size());
  for (const auto& row : comparison.rounds)
    lines[row.strategy].emplace_back(
        row.round,
        static_cast<double>(row.solved) / std::max(1, comparison.strategies[row.strategy].trajectories));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    if (lines[i].size() > 1) chart.line(lines[i], "line " + series_class(i));
    for (const auto& [round, share] : lines[i])
      chart.dot({.x = round,
                 .y = share,
                 .series = i,
                 .tip = fmt::format("{}, round {:.0f}: {:.0f} % solved", comparison.strategies[i].label,
                                    round, share * 100)});
  }
  return chart.svg("Share solved up to each round") + legend_html(labels_of(comparison), true);
}

}  // namespace ridgeline::report
