#include "engine/compare/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline::compare {
namespace {

// Positions in units of the view box.
constexpr double left_edge = 62, right = 700, top = 14, bottom = 300, legend_top = 352, legend_step = 18;

double place(const Axis& axis, double value) {
  if (!axis.logarithmic) return std::clamp((value - axis.low) / (axis.high - axis.low), 0.0, 1.0);
  const double clamped = std::clamp(value, axis.low, axis.high);
  return std::log(clamped / axis.low) / std::log(axis.high / axis.low);
}

/// The distance of ticks: 1, 2 or 5 times a power of ten, about a fifth of the span.
double tick_step(double span) {
  const double power = std::pow(10.0, std::floor(std::log10(span / 5)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (span / (factor * power) <= 6) return factor * power;
  return 10 * power;
}

std::vector<double> ticks_of(const Axis& axis) {
  std::vector<double> ticks;
  if (axis.logarithmic) {
    // log10 of an exact power of ten may be a little off, hence the small shift.
    for (double tick = std::pow(10.0, std::ceil(std::log10(axis.low) - 1e-9)); tick <= axis.high * 1.0001;
         tick *= 10)
      ticks.push_back(tick);
    return ticks;
  }
  const double step = tick_step(axis.high - axis.low);
  for (int i = 0; i <= 12; ++i) {
    const double tick = (std::ceil(axis.low / step) + i) * step;
    if (tick > axis.high + step * 1e-6) break;
    ticks.push_back(tick);
  }
  return ticks;
}

/// Draws a circle, square, triangle or diamond, so that series differ where colours do not.
std::string marker(double x, double y, std::size_t series, const std::string& content) {
  static constexpr std::array shapes{"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M-4 -4h8v8h-8z",
                                     "M0 -5l5 9h-10z", "M0 -6l5 6l-5 6l-5 -6z"};
  return fmt::format(
      "<path class=\"dot\" d=\"{}\" transform=\"translate({:.1f} {:.1f})\" fill=\"{}\" "
      "fill-opacity=\"0.75\">{}</path>\n",
      shapes[series % shapes.size()], x, y, series_colour(series), content);
}

std::string tick_text(const Axis& axis, double tick) {
  return axis.percent ? fmt::format("{:.0f} %", tick * 100) : fmt::format("{:.4g}", tick);
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
      out += c;
  }
  return out;
}

std::string series_colour(std::size_t index) {
  static constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#56b4e9", "#e69f00", "#000000"};
  return colours[index % colours.size()];
}

std::string series_dash(std::size_t index) {
  static constexpr std::array dashes{"none", "7 3", "2 3", "9 3 2 3", "12 4"};
  return dashes[index % dashes.size()];
}

Chart::Chart(Axis x, Axis y) : x_(std::move(x)), y_(std::move(y)) {}

double Chart::at_x(double x) const {
  return left_edge + (right - left_edge) * place(x_, x);
}
double Chart::at_y(double y) const {
  return bottom - (bottom - top) * place(y_, y);
}

void Chart::line(const Points& points, const std::string& colour, const std::string& dash) {
  std::string path;
  for (const auto& [x, y] : points) path += fmt::format("{:.1f},{:.1f} ", at_x(x), at_y(y));
  body_ += fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
      path, colour, dash);
}

void Chart::steps(const Points& points, const std::string& colour, const std::string& dash) {
  Points corners;
  for (const auto& point : points) {
    if (!corners.empty()) corners.emplace_back(point.first, corners.back().second);
    corners.push_back(point);
  }
  line(corners, colour, dash);
}

void Chart::dot(double x, double y, std::size_t series, const std::string& tip) {
  body_ += marker(at_x(x), at_y(y), series, "<title>" + escaped(tip) + "</title>");
}

void Chart::legend(const std::string& text, const std::string& colour, const std::string& dash) {
  const double y = legend_top + legend_step * legend_lines_++;
  legend_ += fmt::format(
      "<line x1=\"{0}\" y1=\"{2}\" x2=\"{1}\" y2=\"{2}\" stroke=\"{3}\" stroke-width=\"3\" "
      "stroke-dasharray=\"{4}\"/><text x=\"{5}\" y=\"{6}\">{7}</text>\n",
      left_edge, left_edge + 34, y, colour, dash, left_edge + 42, y + 4, escaped(text));
}

void Chart::legend_dot(const std::string& text, std::size_t series) {
  const double y = legend_top + legend_step * legend_lines_++;
  legend_ += marker(left_edge + 17, y, series, "");
  legend_ += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", left_edge + 42, y + 4, escaped(text));
}

std::string Chart::axes() const {
  std::string out;
  for (const double tick : ticks_of(x_))
    out += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" class=\"grid\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
        at_x(tick), top, bottom, bottom + 16, tick_text(x_, tick));
  for (const double tick : ticks_of(y_))
    out += fmt::format(
        "<line x1=\"{1}\" y1=\"{0:.1f}\" x2=\"{2}\" y2=\"{0:.1f}\" class=\"grid\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        at_y(tick), left_edge, right, left_edge - 6, at_y(tick) + 4, tick_text(y_, tick));
  out += fmt::format("<path d=\"M{0} {1}V{2}H{3}\" class=\"axis\"/>\n", left_edge, top, bottom, right);
  out += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                     (left_edge + right) / 2, bottom + 34, escaped(x_.title));
  const double middle = (top + bottom) / 2;
  out += fmt::format(
      "<text x=\"14\" y=\"{0:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {0:.1f})\">{1}"
      "</text>\n",
      middle, escaped(y_.title));
  return out;
}

std::string Chart::svg(const std::string& description) const {
  const double height = legend_top + legend_step * std::max(0, legend_lines_ - 1) + 12;
  return fmt::format("<svg viewBox=\"0 0 720 {:.0f}\" role=\"img\" aria-label=\"{}\">\n{}{}{}</svg>\n",
                     height, escaped(description), axes(), body_, legend_);
}

}  // namespace ridgeline::compare
