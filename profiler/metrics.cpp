#include "profiler/metrics.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "profiler/process_clock.hpp"

namespace ridgeline::profiler {
namespace {

/// A few dozen entries, so a linear search is fast enough.
std::vector<MetricSum>& sums() {
  static std::vector<MetricSum> all;
  return all;
}

}  // namespace

ScopedMetric::ScopedMetric(std::string_view name) : name_(name), begin_(wall_seconds()) {}

ScopedMetric::~ScopedMetric() {
  const double seconds = wall_seconds() - begin_;
  auto& all = sums();
  auto sum = std::ranges::find(all, name_, &MetricSum::name);
  if (sum == all.end()) sum = all.insert(all.end(), {name_});
  sum->seconds += seconds;
  ++sum->count;
}

std::vector<MetricSum> take_metrics() {
  auto taken = std::exchange(sums(), {});
  std::ranges::sort(taken, std::greater(), &MetricSum::seconds);
  return taken;
}

}  // namespace ridgeline::profiler
