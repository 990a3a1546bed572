// A log of where a judge's seconds went: one JSON line per request, appended to a file, for whoever makes the
// judge faster.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::judge {

/// The environment variable that names the file.
inline constexpr const char* kMetricsVariable = "RIDGELINE_METRICS";

class MetricLog {
 public:
  /// Appends to `file`; does nothing if that is empty.
  explicit MetricLog(std::string file);
  /// Appends a line with all that was measured since the line before. `seconds`: what the request took. A
  /// line that cannot be written is left out, since no verdict may depend on a log.
  ///   {"request": "judge relu", "seconds": 0.31, "parts": {"timing.samples": [0.12, 3], …}}
  /// Each part has its seconds and its count; parts lie within one another (profiler/metrics.hpp).
  void line(std::string_view request, double seconds) const;

 private:
  std::string file_;
};

}  // namespace ridgeline::judge
