// Draws charts as SVG text: two axes, lines, steps, dots and a legend. Uses no fonts or files from
// elsewhere.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridgeline::compare {

/// Escapes text for HTML and SVG, in content and attribute values; drops control characters that XML
/// forbids.
std::string escaped(const std::string& text);

/// The colour and the dash of the n-th series. Colours are told apart by the colour-blind (Okabe and Ito
/// 2008), dashes in print without colour.
std::string series_colour(std::size_t index);
std::string series_dash(std::size_t index);

/// The range and labels of an axis.
struct Axis {
  std::string title;
  double low = 0;
  double high = 1;           ///< > low
  bool logarithmic = false;  ///< low must be > 0
  bool percent = false;      ///< ticks are percentages
};

/// A chart that is drawn call by call. Coordinates are in the axes' units.
class Chart {
 public:
  Chart(Axis x, Axis y);

  /// (x, y) pairs.
  using Points = std::vector<std::pair<double, double>>;
  /// Draws a polyline. Points outside the axes are drawn at their edge.
  void line(const Points& points, const std::string& colour, const std::string& dash);
  /// Draws steps, horizontal first, then vertical: a value holds until the next point.
  void steps(const Points& points, const std::string& colour, const std::string& dash);
  /// Draws a dot in the n-th series' colour and shape; `tip` is shown when a pointer rests on it.
  void dot(double x, double y, std::size_t series, const std::string& tip);
  /// Adds a line of the legend, for a line or for a series of dots.
  void legend(const std::string& text, const std::string& colour, const std::string& dash);

  void legend_dot(const std::string& text, std::size_t series);

  /// Returns the SVG element. `description` is read out by screen readers.
  std::string svg(const std::string& description) const;

 private:
  double at_x(double x) const;
  double at_y(double y) const;
  std::string axes() const;

  Axis x_, y_;
  std::string body_;
  std::string legend_;
  int legend_lines_ = 0;
};

}  // namespace ridgeline::compare
