#include "engine/report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/report/html.hpp"

namespace ridgeline::report {
namespace {

// Positions in units of the view box.
constexpr double chart_width = 480, chart_height = 306, left_edge = 54, right_edge = 468, top_edge = 26,
                 bottom_edge = 258;

double place_on(const Axis& axis, double value) {
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

/// Ticks of a logarithmic axis: 1, 2 and 5 of each decade, or decades alone where they are many.
std::vector<double> log_ticks(const Axis& axis) {
  std::vector<double> ticks;
  const double decades = std::log10(axis.high / axis.low);
  const int stride = decades > 8 ? 2 : 1;
  const auto first = static_cast<int>(std::floor(std::log10(axis.low)));
  for (int power = first; power <= first + static_cast<int>(decades) + 1; power += stride)
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor > 1 && decades > 2.2) continue;
      const double tick = factor * std::pow(10.0, power);
      // A power of ten may be a little off.
      if (tick >= axis.low * 0.9999 && tick <= axis.high * 1.0001) ticks.push_back(tick);
    }
  return ticks;
}

std::vector<double> ticks_of(const Axis& axis) {
  if (axis.logarithmic) return log_ticks(axis);
  std::vector<double> ticks;
  const double step = tick_step(axis.high - axis.low);
  for (int i = 0; i <= 12; ++i) {
    const double tick = (std::ceil(axis.low / step) + i) * step;
    if (tick > axis.high + step * 1e-6) break;
    ticks.push_back(tick);
  }
  return ticks;
}

/// A circle, square, triangle or diamond, so that series differ where colours do not.
const char* shape_of(std::size_t series) {
  static constexpr std::array shapes{"M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M-3.5 -3.5h7v7h-7z",
                                     "M0 -5l5 9h-10z", "M0 -5.5l5 5.5l-5 5.5l-5 -5.5z"};
  return shapes[series % shapes.size()];
}

std::string tick_text(const Axis& axis, double tick) {
  if (axis.percent) return fmt::format("{:.0f} %", tick * 100);
  const double size = std::abs(tick);
  if (size < 1e-12) return "0";
  if (size >= 1e4) {
    static constexpr std::array units{"k", "M", "G", "T", "P"};
    const auto unit =
        std::min<std::size_t>(static_cast<std::size_t>(std::log10(size) / 3 + 1e-9), units.size());
    return fmt::format("{:.4g}{}", tick / std::pow(1000.0, static_cast<double>(unit)), units[unit - 1]);
  }
  return fmt::format("{:.4g}", tick);
}

Chart::Points stepped(const Chart::Points& points) {
  Chart::Points corners;
  for (const auto& point : points) {
    if (!corners.empty()) corners.emplace_back(point.first, corners.back().second);
    corners.push_back(point);
  }
  return corners;
}

}  // namespace

Axis log_axis(std::string title, double low, double high) {
  const double margin = std::max(1.05, std::pow(high / low, 0.06));
  return {.title = std::move(title), .low = low / margin, .high = high * margin, .logarithmic = true};
}

Axis decades(std::string title, double low, double high) {
  return {.title = std::move(title),
          .low = std::pow(10.0, std::floor(std::log10(low))),
          .high = std::pow(10.0, std::floor(std::log10(high)) + 1),
          .logarithmic = true};
}

Chart::Chart(Axis x, Axis y) : x_(std::move(x)), y_(std::move(y)) {}

double Chart::at_x(double x) const {
  return left_edge + (right_edge - left_edge) * place_on(x_, x);
}
double Chart::at_y(double y) const {
  return bottom_edge - (bottom_edge - top_edge) * place_on(y_, y);
}

// Points that would be drawn on one spot are one, since a curve over thousands of kernels has as many.
std::string Chart::path_of(const Points& points) const {
  std::string path, last;
  for (const auto& [x, y] : points) {
    auto here = fmt::format("{:.1f},{:.1f} ", at_x(x), at_y(y));
    if (here == last) continue;
    path += here;
    last = std::move(here);
  }
  return path;
}

void Chart::line(const Points& points, const std::string& kind) {
  body_ += fmt::format("<polyline points=\"{}\" class=\"{}\"/>\n", path_of(points), kind);
}

void Chart::steps(const Points& points, std::size_t series) {
  line(stepped(points), "line " + series_class(series));
}

void Chart::area(const Points& corners, const std::string& kind) {
  body_ += fmt::format("<polygon points=\"{}\" class=\"{}\"/>\n", path_of(corners), kind);
}

void Chart::band(const Points& low, const Points& high, std::size_t series) {
  auto corners = stepped(low);
  const auto upper = stepped(high);
  corners.insert(corners.end(), upper.rbegin(), upper.rend());
  area(corners, "band " + series_class(series));
}

void Chart::dot(const Dot& dot) {
  draw(dot, true);
}

void Chart::dots(const std::vector<Dot>& dots) {
  for (const auto& dot : dots) draw(dot, dots.size() <= most_stops);
}

void Chart::draw(const Dot& dot, bool stop) {
  const auto mark = fmt::format(
      "<path class=\"dot {}\" d=\"{}\" transform=\"translate({:.1f} {:.1f})\"><title>{}</title></path>",
      dot.kind.empty() ? series_class(dot.series) : dot.kind, shape_of(dot.series), at_x(dot.x), at_y(dot.y),
      escaped(dot.tip));
  body_ += dot.target.empty()
               ? mark + "\n"
               : fmt::format("<a href=\"{}\" aria-label=\"{}\"{}>{}</a>\n", escaped(dot.target),
                             escaped(dot.tip), stop ? "" : " tabindex=\"-1\"", mark);
}

void Chart::note(double x, double y, const std::string& text) {
  const bool right_half = at_x(x) > (left_edge + right_edge) / 2;
  body_ +=
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"note\" text-anchor=\"{}\">{}</text>\n",
                  at_x(x) + (right_half ? -4 : 4), at_y(y) - 5, right_half ? "end" : "start", escaped(text));
}

std::string Chart::axes() const {
  std::string out;
  for (const double tick : ticks_of(x_))
    out += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" class=\"grid\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
        at_x(tick), top_edge, bottom_edge, bottom_edge + 17, tick_text(x_, tick));
  for (const double tick : ticks_of(y_))
    out += fmt::format(
        "<line x1=\"{1}\" y1=\"{0:.1f}\" x2=\"{2}\" y2=\"{0:.1f}\" class=\"grid\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        at_y(tick), left_edge, right_edge, left_edge - 6, at_y(tick) + 4, tick_text(y_, tick));
  out += fmt::format("<path d=\"M{0} {1}V{2}H{3}\" class=\"axis\"/>\n", left_edge, top_edge, bottom_edge,
                     right_edge);
  out += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                     (left_edge + right_edge) / 2, bottom_edge + 40, escaped(x_.title));
  // Above its axis: turned by a right angle it would run into wide ticks on a narrow screen.
  return out + fmt::format("<text x=\"4\" y=\"14\">{}</text>\n", escaped(y_.title));
}

std::string Chart::svg(const std::string& description) const {
  return fmt::format(
      "<svg viewBox=\"0 0 {} {}\" class=\"chart\" role=\"group\" aria-label=\"{}\">\n{}{}</svg>\n",
      chart_width, chart_height, escaped(description), axes(), body_);
}

std::string series_class(std::size_t index) {
  constexpr std::size_t colours = 8;  // of assets/report.css; beyond them they repeat with other dashes
  return fmt::format("s{}{}", index % colours, index < colours ? "" : " again");
}

std::string legend_html(const std::vector<std::string>& labels, bool dots) {
  std::string out = "<ul class=\"legend\">";
  for (std::size_t i = 0; i < labels.size(); ++i)
    out += fmt::format(
        "<li><svg viewBox=\"0 0 28 12\" width=\"28\" height=\"12\" aria-hidden=\"true\">{}</svg>{}</li>",
        dots ? fmt::format("<path class=\"dot {}\" d=\"{}\" transform=\"translate(14 6)\"/>", series_class(i),
                           shape_of(i))
             : fmt::format("<polyline class=\"line {}\" points=\"0,6 28,6\"/>", series_class(i)),
        escaped(labels[i]));
  return out + "</ul>\n";
}

}  // namespace ridgeline::report
