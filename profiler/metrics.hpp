// Sums up where a process spends its seconds.
//
//   const ScopedMetric metric("timing.samples");
//
// adds the seconds of its scope to the sum of that name. Scopes may be nested; each counts in full. A scope
// costs about 100 ns, so they are always on. One thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ridgeline::profiler {

/// Adds the seconds of its lifetime to the sum of its name.
class ScopedMetric {
 public:
  /// `name` must live as long as the process.
  explicit ScopedMetric(std::string_view name);
  ScopedMetric(const ScopedMetric&) = delete;  // it adds once, at its end
  ScopedMetric& operator=(const ScopedMetric&) = delete;
  ~ScopedMetric();

 private:
  std::string_view name_;
  double begin_;
};

/// The sum of one name.
struct MetricSum {
  std::string_view name;
  double seconds = 0;
  std::uint64_t count = 0;  ///< how many scopes were added
};

/// Returns the sums since the last call, the largest first, and starts anew.
std::vector<MetricSum> take_metrics();

}  // namespace ridgeline::profiler
