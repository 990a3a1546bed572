// Draws kernels below their device's ceilings, both axes logarithmic.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/core/short_number.hpp"
#include "engine/report/chart.hpp"
#include "engine/report/html.hpp"
#include "engine/report/plots.hpp"

namespace ridgeline::report {
namespace {

using compare::Comparison;
using compare::RooflinePoint;

/// The range of positive values, for a logarithmic axis.
struct LogRange {
  double low = 0;
  double high = 0;

  void include(double value) {
    if (value <= 0 || !std::isfinite(value)) return;
    low = low == 0 ? value : std::min(low, value);
    high = std::max(high, value);
  }
};

/// The giga-operations a second that a call reached; 0 if operations or time are unknown.
double reached(const Roofline& roofline) {
  return roofline.seconds > 0 ? roofline.operations / roofline.seconds / 1e9 : 0;
}

bool drawable(const Roofline& roofline) {
  return roofline.intensity > 0 && std::isfinite(roofline.intensity) && reached(roofline) > 0;
}

/// Draws a ceiling: the slope of memory bandwidth up to the ridge, then the flat line of `peak`.
void draw_ceiling(Chart& chart, const Ceilings& ceilings, const Peak& peak, const Axis& x) {
  const double flat = peak.operations_per_second / 1e9;
  const double slope = ceilings.bandwidth / 1e9;
  if (flat <= 0 || slope <= 0) return;
  const double ridge = std::clamp(flat / slope, x.low, x.high);
  chart.line({{x.low, std::min(flat, slope * x.low)}, {ridge, std::min(flat, slope * ridge)}, {x.high, flat}},
             "roof");
  chart.note(std::sqrt(ridge * x.high), flat, peak.unit);
}

/// Names the ceilings in words, since names beside lines of nearly one height would cover each other.
std::string ceilings_text(const Ceilings& ceilings) {
  auto text = fmt::format("Roofs as measured: main memory {} GB/s", short_number(ceilings.bandwidth / 1e9));
  for (const auto& peak : ceilings.peaks)
    text += fmt::format(", {} {} Gop/s", peak.unit, short_number(peak.operations_per_second / 1e9));
  return text + ".";
}

/// The cases of the fastest kernel of each strategy on each task of a device.
std::vector<const RooflinePoint*> drawn_points(const Comparison& comparison, const std::string& device) {
  using Place = std::pair<std::size_t, std::string>;
  std::map<Place, std::size_t> fastest;  // trajectory
  for (const auto& point : comparison.rooflines) {
    if (point.device != device || !drawable(point.roofline)) continue;
    const auto [known, added] = fastest.emplace(Place(point.strategy, point.task), point.trajectory);
    if (!added && comparison.trajectories[point.trajectory].score.speedup >
                      comparison.trajectories[known->second].score.speedup)
      known->second = point.trajectory;
  }
  std::vector<const RooflinePoint*> points;
  for (const auto& point : comparison.rooflines)
    if (point.device == device && drawable(point.roofline) &&
        fastest.at({point.strategy, point.task}) == point.trajectory)
      points.push_back(&point);
  return points;
}

std::string draw_device(const Comparison& comparison, const std::string& device, const Ceilings* ceilings,
                        const Targets& targets) {
  auto points = drawn_points(comparison, device);
  const auto all = points.size();
  LogRange intensity, performance;
  for (const auto* point : points) {
    intensity.include(point->roofline.intensity);
    performance.include(reached(point->roofline));
  }
  if (ceilings != nullptr)
    for (const auto& peak : ceilings->peaks) {
      performance.include(peak.operations_per_second / 1e9);
      if (ceilings->bandwidth > 0) intensity.include(peak.operations_per_second / ceilings->bandwidth);
    }
  const auto x = decades("operations a byte of main memory", intensity.low, intensity.high);
  Chart chart(x, decades("Gop/s", performance.low, performance.high));
  points.resize(std::min(points.size(), most_dots));
  std::vector<Dot> dots;
  for (const auto* point : points) {
    const auto& result = comparison.trajectories[point->trajectory];
    const auto page = targets.trajectory(result);
    dots.push_back({.x = point->roofline.intensity,
                    .y = reached(point->roofline),
                    .series = point->strategy,
                    .tip = fmt::format("{}, {}, {}: {:.0f} % of the roof, {} bound{}",
                                       comparison.strategies[point->strategy].label, point->task,
                                       point->roofline.case_name, point->roofline.efficiency * 100,
                                       to_string(point->roofline.bound), point->flagged ? ", flagged" : ""),
                    .target = page.empty() ? targets.task(point->task) : page});
  }
  chart.dots(dots);
  if (ceilings != nullptr)
    for (const auto& peak : ceilings->peaks) draw_ceiling(chart, *ceilings, peak, x);
  auto html = chart.svg("Kernels under the roofline of " + device) + legend_html(labels_of(comparison), true);
  if (ceilings != nullptr) html += "<p class=\"quiet\">" + escaped(ceilings_text(*ceilings)) + "</p>\n";
  if (points.size() < all)
    html += fmt::format("<p class=\"quiet\">Drawn: {} of {} cases.</p>\n", points.size(), all);
  return html;
}

}  // namespace

std::string roofline_views(const Comparison& comparison, const Targets& targets) {
  std::map<std::string, const Ceilings*> devices;
  for (const auto& point : comparison.rooflines)
    if (drawable(point.roofline)) devices.emplace(point.device, nullptr);
  for (const auto& ceilings : comparison.ceilings)
    if (const auto found = devices.find(ceilings.device); found != devices.end()) found->second = &ceilings;
  std::vector<View> views;
  for (const auto& [device, ceilings] : devices)
    views.push_back({device, draw_device(comparison, device, ceilings, targets)});
  return views_html("device", "Device", views);
}

}  // namespace ridgeline::report
