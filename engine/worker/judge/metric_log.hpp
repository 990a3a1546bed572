// Logs where a judge's seconds went: one JSON line per request, appended to a file, for developers who make
// the judge faster.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::judge {

/// The environment variable that names the file.
inline constexpr const char* kMetricsVariable = "RIDGELINE_METRICS";

class MetricLog {
 public:
  /// Appends to `file`. Writes nothing if the name `file` is empty.
  explicit MetricLog(std::string file);
  /// Appends a line with all that was measured since the line before. `seconds`: what the request took. A
  /// line that cannot be written is left out, since no verdict may depend on a log.
  ///   {"request": "judge relu", "seconds": 0.31, "parts": {"timing.samples": [0.12, 3], …}}
  /// Each part has its seconds and its count. A part may contain other parts, so the seconds of parts do not
  /// add up to the request's (profiler/metrics.hpp).
  void line(std::string_view request, double seconds) const;

 private:
  std::string file_;
};

}  // namespace ridgeline::judge
