// Draws kernels below their device's ceilings, both axes logarithmic.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/compare/plots.hpp"
#include "engine/compare/svg.hpp"
#include "engine/core/short_number.hpp"

namespace ridgeline::compare {
namespace {

/// The range of positive values, for a logarithmic axis.
struct LogRange {
  double low = 0;
  double high = 0;

  void include(double value) {
    if (value <= 0 || !std::isfinite(value)) return;
    low = low == 0 ? value : std::min(low, value);
    high = std::max(high, value);
  }
  /// Extends to whole decades, so that the ends are ticks.
  Axis axis(std::string title) const {
    return {.title = std::move(title),
            .low = std::pow(10.0, std::floor(std::log10(low))),
            .high = std::pow(10.0, std::floor(std::log10(high)) + 1),
            .logarithmic = true};
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
             "#555555", "none");
}

/// Names the ceilings in the legend, since names beside lines of nearly one height would cover each other.
std::string ceilings_text(const Ceilings& ceilings) {
  auto text = fmt::format("roofs: main memory {} GB/s", short_number(ceilings.bandwidth / 1e9));
  for (const auto& peak : ceilings.peaks)
    text += fmt::format(", {} {} Gop/s", peak.unit, short_number(peak.operations_per_second / 1e9));
  return text;
}

std::string draw_device(const Comparison& comparison, const std::string& device, const Ceilings* ceilings) {
  LogRange intensity, performance;
  for (const auto& point : comparison.rooflines) {
    if (point.device != device || !drawable(point.roofline)) continue;
    intensity.include(point.roofline.intensity);
    performance.include(reached(point.roofline));
  }
  if (ceilings != nullptr)
    for (const auto& peak : ceilings->peaks) {
      performance.include(peak.operations_per_second / 1e9);
      if (ceilings->bandwidth > 0) intensity.include(peak.operations_per_second / ceilings->bandwidth);
    }
  const auto x = intensity.axis("operations a byte of main memory");
  Chart chart(x, performance.axis("Gop/s"));
  if (ceilings != nullptr)
    for (const auto& peak : ceilings->peaks) draw_ceiling(chart, *ceilings, peak, x);
  for (const auto& point : comparison.rooflines)
    if (point.device == device && drawable(point.roofline))
      chart.dot(point.roofline.intensity, reached(point.roofline), point.strategy,
                fmt::format("{}, {}, {}: {:.0f} % of the roof, {} bound{}",
                            comparison.strategies[point.strategy].label, point.task, point.roofline.case_name,
                            point.roofline.efficiency * 100, to_string(point.roofline.bound),
                            point.flagged ? ", flagged" : ""));
  for (std::size_t i = 0; i < comparison.strategies.size(); ++i)
    chart.legend_dot(comparison.strategies[i].label, i);
  if (ceilings != nullptr) chart.legend(ceilings_text(*ceilings), "#555555", "none");
  return chart.svg("Kernels under the roofline of " + device);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> roofline_plots(const Comparison& comparison) {
  std::map<std::string, const Ceilings*> devices;
  for (const auto& point : comparison.rooflines)
    if (drawable(point.roofline)) devices.emplace(point.device, nullptr);
  for (const auto& ceilings : comparison.ceilings)
    if (const auto found = devices.find(ceilings.device); found != devices.end()) found->second = &ceilings;
  std::vector<std::pair<std::string, std::string>> plots;
  for (const auto& [device, ceilings] : devices)
    plots.emplace_back(device, draw_device(comparison, device, ceilings));
  return plots;
}

}  // namespace ridgeline::compare
