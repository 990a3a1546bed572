// Draws charts as SVG text: two axes, lines, steps, bands and dots. Uses no fonts or files from elsewhere.
// Colours are the page's (assets/report.css), so that they suit a dark page too.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridgeline::report {

/// The range and labels of an axis.
struct Axis {
  std::string title;
  double low = 0;
  double high = 1;           ///< > low
  bool logarithmic = false;  ///< low must be > 0
  bool percent = false;      ///< ticks are percentages
};

/// The axis for positive values, logarithmic, extended a little beyond them.
Axis log_axis(std::string title, double low, double high);
/// The same, extended to whole decades.
Axis decades(std::string title, double low, double high);

/// A dot of a chart.
struct Dot {
  double x = 0, y = 0;
  std::size_t series = 0;  ///< its shape, and its colour unless `kind` gives one
  std::string tip;         ///< shown when a pointer rests on it, and read out
  std::string target;      ///< where a click leads; "" for nowhere
  std::string kind = {};   ///< a CSS class in place of the series' colour
};

/// A chart that is drawn call by call. Coordinates are in the axes' units.
class Chart {
 public:
  Chart(Axis x, Axis y);

  /// (x, y) pairs.
  using Points = std::vector<std::pair<double, double>>;
  /// Draws a polyline. Points outside the axes are drawn at their edge. `kind` is a CSS class.
  void line(const Points& points, const std::string& kind);
  /// Draws steps, horizontal first, then vertical: a value holds until the next point.
  void steps(const Points& points, std::size_t series);
  /// Fills the area between two such step functions with equal x.
  void band(const Points& low, const Points& high, std::size_t series);
  /// Fills a polygon. `kind` is a CSS class.
  void area(const Points& corners, const std::string& kind);
  void dot(const Dot& dot);
  /// Draws many. More than `most_stops` are not reached by Tab one by one, since nobody would get past them:
  /// a table has the same links.
  void dots(const std::vector<Dot>& dots);
  static constexpr std::size_t most_stops = 100;
  /// Text at a point, left of it if there is more room.
  void note(double x, double y, const std::string& text);

  /// Returns the SVG element. `description` is read out by screen readers.
  std::string svg(const std::string& description) const;

 private:
  double at_x(double x) const;
  double at_y(double y) const;
  std::string path_of(const Points& points) const;
  void draw(const Dot& dot, bool stop);
  std::string axes() const;

  Axis x_, y_;
  std::string body_;
};

/// The CSS class of the n-th series.
std::string series_class(std::size_t index);

/// Names the series, as lines or as dots, for below a chart.
std::string legend_html(const std::vector<std::string>& labels, bool dots);

}  // namespace ridgeline::report
