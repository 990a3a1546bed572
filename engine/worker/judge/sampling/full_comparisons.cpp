#include "engine/worker/judge/sampling/full_comparisons.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kOfALoneCase = 2;

}  // namespace

std::vector<std::size_t> full_comparisons(const std::vector<std::optional<double>>& seconds, Random& random,
                                          bool have_output_checks) {
  std::vector<std::size_t> counts(seconds.size(), 0), long_ones;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (!seconds[i]) continue;
    if (*seconds[i] > long_expectation && !have_output_checks)
      counts[i] = 1;
    else if (*seconds[i] > long_expectation)
      long_ones.push_back(i);
    else
      counts[i] = seconds.size() > 1 ? 1 : kOfALoneCase;
  }
  if (!long_ones.empty()) counts[long_ones[random.below(long_ones.size())]] = 1;
  return counts;
}

}  // namespace ridgeline::judge
