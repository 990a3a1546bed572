// Charts as SVG text: two axes, lines, steps, dots and a legend. No fonts or files from elsewhere.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridgeline::compare {

/// For text and attribute values of HTML and SVG; drops control characters that XML forbids.
std::string escaped(const std::string& text);

/// Colour and dash of the n-th series. Colours differ for the colour-blind (Okabe and Ito 2008), dashes in
/// grey.
std::string series_colour(std::size_t index);
std::string series_dash(std::size_t index);

struct Axis {
  std::string title;
  double low = 0;
  double high = 1;           ///< > low
  bool logarithmic = false;  ///< low must be > 0
  bool percent = false;      ///< ticks as per cent
};

class Chart {
 public:
  Chart(Axis x, Axis y);

  using Points = std::vector<std::pair<double, double>>;
  /// Points outside the axes are drawn at their edge.
  void line(const Points& points, const std::string& colour, const std::string& dash);
  /// Horizontal first, then vertical: a value holds until the next one.
  void steps(const Points& points, const std::string& colour, const std::string& dash);
  /// Colour and shape of the n-th series; `tip` shows where a pointer rests on it.
  void dot(double x, double y, std::size_t series, const std::string& tip);
  void legend(const std::string& text, const std::string& colour, const std::string& dash);

  void legend_dot(const std::string& text, std::size_t series);

  /// `description` is read out in place of the picture.
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
