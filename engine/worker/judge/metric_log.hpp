// Where the seconds of a judge went, a JSON line a request, appended to a file: for whoever makes it quicker.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::judge {

/// The environment's variable that names the file.
inline constexpr const char* kMetricsVariable = "RIDGELINE_METRICS";

class MetricLog {
 public:
  /// Empty: nothing is written.
  explicit MetricLog(std::string file);
  /// All that was measured since the last line; what cannot be written is left out.
  ///   {"request": "judge relu", "seconds": 0.31, "parts": {"timing.samples": [0.12, 3], …}}
  /// A part's seconds and how often it came; parts lie within one another (profiler/metrics.hpp).
  void line(std::string_view request, double seconds) const;

 private:
  std::string file_;
};

}  // namespace ridgeline::judge
