// Where a process's seconds go, part by part.
//
//   const ScopedMetric metric("timing.samples");
//
// adds the seconds of its scope to a sum of that name. Parts may lie within one another: each counts whole. A
// scope costs some 100 ns, so they are always on. One thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ridgeline::profiler {

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

struct MetricSum {
  std::string_view name;
  double seconds = 0;
  std::uint64_t count = 0;  ///< of scopes
};

/// The sums since the last call of this, the greatest first.
std::vector<MetricSum> take_metrics();

}  // namespace ridgeline::profiler
