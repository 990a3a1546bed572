#include "engine/compare/plots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/compare/svg.hpp"

namespace ridgeline::compare {
namespace {

void add_legend(Chart& chart, const Comparison& comparison) {
  for (std::size_t i = 0; i < comparison.strategies.size(); ++i)
    chart.legend(comparison.strategies[i].label, series_colour(i), series_dash(i));
}

/// A colour between white (0) and deep blue (1).
std::string heat(double share) {
  const auto mix = [share](double from, double to) {
    return static_cast<int>(from + (to - from) * share + 0.5);
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(247, 8), mix(251, 81), mix(255, 156));
}

/// Cuts text to about `width` units of 12-unit type. The table below the chart has the whole name.
std::string fitted(const std::string& text, double width) {
  const auto room = static_cast<std::size_t>(std::max(4.0, width / 7));
  std::size_t points = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // Continuation bytes of UTF-8 are no characters of their own.
    if ((text[i] & 0xC0) == 0x80 || ++points <= room) continue;
    return text.substr(0, i) + "…";
  }
  return text;
}

std::string axis_title(Unit unit) {
  switch (unit) {
    case Unit::calls:
      return "calls to a model, each trajectory (critics counted)";
    case Unit::tokens:
      return "tokens, each trajectory";
    case Unit::usd:
      return "USD, each trajectory";
    case Unit::evaluations:
      return "evaluations, each trajectory";
    case Unit::wall_seconds:
      return "seconds of wall time, each trajectory";
    case Unit::gpu_seconds:
      return "seconds of the judge's device, each trajectory";
  }
  return "";
}

}  // namespace

std::string fast_plot(const Comparison& comparison) {
  double high = 2;
  for (const auto& row : comparison.strategies)
    if (!row.speedups.empty()) high = std::max(high, row.speedups.back() * 1.05);
  Chart chart({.title = "p: times as fast as eager LibTorch", .low = 0, .high = high},
              {.title = "fast_p", .low = 0, .high = 1, .percent = true});
  chart.line({{1, 0}, {1, 1}}, "#999999", "3 3");
  for (std::size_t i = 0; i < comparison.strategies.size(); ++i) {
    const auto& row = comparison.strategies[i];
    const double all = std::max(1, row.trajectories);
    // The share with more than p falls at each kernel's own speed-up. Kernels without a time count only at p
    // = 0.
    auto left = static_cast<double>(row.speedups.size());
    Chart::Points points{{0, row.correct / all}, {0, left / all}};
    for (const double speedup : row.speedups) points.emplace_back(speedup, --left / all);
    points.emplace_back(high, 0);
    chart.steps(points, series_colour(i), series_dash(i));
  }
  add_legend(chart, comparison);
  return chart.svg("fast_p of each strategy against p");
}

std::string category_plot(const Comparison& comparison) {
  constexpr double name_width = 190, row_height = 30, head = 26;
  const double columns = static_cast<double>(std::max<std::size_t>(1, comparison.strategies.size()));
  const double cell = (720 - name_width) / columns;
  std::string body;
  for (std::size_t i = 0; i < comparison.strategies.size(); ++i)
    body += fmt::format("<text x=\"{:.1f}\" y=\"17\" text-anchor=\"middle\">{}</text>\n",
                        name_width + cell * (static_cast<double>(i) + 0.5),
                        escaped(fitted(comparison.strategies[i].label, cell)));
  for (std::size_t k = 0; k < comparison.categories.size(); ++k) {
    const double y = head + row_height * static_cast<double>(k);
    body += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", name_width - 8, y + 20,
                        escaped(fitted(comparison.categories[k], name_width)));
    for (std::size_t i = 0; i < comparison.by_category.size(); ++i) {
      const auto& result = comparison.by_category[i][k];
      const double share =
          result.trajectories == 0 ? 0 : static_cast<double>(result.correct) / result.trajectories;
      const double x = name_width + cell * static_cast<double>(i);
      body += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\" stroke=\"#fff\"/>"
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" style=\"fill:{}\">{}</text>\n",
          x, y, cell, row_height, result.trajectories == 0 ? "#eeeeee" : heat(share), x + cell / 2, y + 20,
          share > 0.5 ? "#fff" : "#111",
          result.trajectories == 0 ? "not tried"
                                   : fmt::format("{:.0f} % of {}", share * 100, result.trajectories));
    }
  }
  return fmt::format(
      "<svg viewBox=\"0 0 720 {:.0f}\" role=\"img\" aria-label=\"Correctness by category\">\n{}</svg>\n",
      head + row_height * static_cast<double>(comparison.categories.size()) + 4, body);
}

std::string budget_plot(const Comparison& comparison) {
  double most = 0, fastest = 1;
  for (const auto& curve : comparison.curves)
    for (const auto& point : curve) {
      most = std::max(most, point.budget);
      fastest = std::max(fastest, point.speedup);
    }
  const double end = most > 0 ? most * 1.06 : 1;  // room for the last step
  Chart chart({.title = axis_title(comparison.unit), .low = 0, .high = end},
              {.title = "speed-up", .low = 1, .high = fastest > 1 ? 1 + (fastest - 1) * 1.1 : 2});
  for (std::size_t i = 0; i < comparison.curves.size(); ++i) {
    Chart::Points points;
    for (const auto& point : comparison.curves[i]) points.emplace_back(point.budget, point.speedup);
    points.emplace_back(end, points.back().second);
    chart.steps(points, series_colour(i), series_dash(i));
  }
  add_legend(chart, comparison);
  return chart.svg("Speed-up of each strategy against the budget spent");
}

}  // namespace ridgeline::compare
