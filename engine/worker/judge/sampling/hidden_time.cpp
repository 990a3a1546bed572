#include "engine/worker/judge/sampling/hidden_time.hpp"

#include <algorithm>
#include <cstddef>

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kEnoughOfASide = 8;  // pairs of each side
constexpr double kHonest = 1.05;           // the factor by which honest runners may differ

}  // namespace

double time_after_replies(const BatchPair& pair, double usually) {
  return (std::max(0.0, pair.shorter.settle - usually) + std::max(0.0, pair.longer.settle - usually)) /
         pair.all_calls();
}

double hidden_time(const std::vector<double>& ours, const std::vector<double>& theirs) {
  if (ours.size() < kEnoughOfASide || theirs.size() < kEnoughOfASide) return 1;
  const auto own = median_interval(ours), other = median_interval(theirs);
  if (other.low <= 0 || own.low <= kHonest * other.high) return 1;
  return median(ours) / median(theirs);
}

}  // namespace ridgeline::judge
