#include "profiler/stopping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/statistics.hpp"

namespace ridgeline::profiler {

namespace {
constexpr double kSigmaOfMad =
    1.4826;  // standard deviation over median absolute deviation, of a normal distribution
// Standard error of the median over that of the mean, of a normal distribution: sqrt(pi / 2).
constexpr double kMedianOfMean = 1.2533;
constexpr double kConfidence = 0.95;  // of the intervals that verdicts show
}  // namespace

double StoppingRule::relative_noise() const {
  if (samples_.size() < 2) return 0;
  const double middle = median(samples_);
  // Slopes of nothing but noise: no number of them is precise.
  if (middle <= 0) return std::numeric_limits<double>::infinity();
  std::vector<double> deviations;
  deviations.reserve(samples_.size());
  for (const double sample : samples_) deviations.push_back(std::abs(sample - middle));
  return kSigmaOfMad * median(std::move(deviations)) / middle;
}

void StoppingRule::add(double value, double seconds) {
  samples_.push_back(value);
  spent_ += seconds;
  noise_.push_back(relative_noise());
}

Stop StoppingRule::decide_by_goal() const {
  if (!has_median_interval(samples_.size(), kConfidence)) return Stop::go_on;
  const double middle = median(samples_);
  if (middle <= 0) return Stop::go_on;
  const auto interval = median_interval(samples_, kConfidence);
  const double coarser = limits_.reference > 0 ? std::max(1.0, middle / limits_.reference) : 1;
  return interval.high - interval.low <= 2 * limits_.goal * coarser * middle ? Stop::precise : Stop::go_on;
}

Stop StoppingRule::decide() const {
  const auto count = static_cast<int>(samples_.size());
  if (spent_ >= limits_.cap_seconds || count >= limits_.most_samples) return Stop::cap;
  if (limits_.goal > 0) return decide_by_goal();
  if (count < limits_.floor_samples) return Stop::go_on;
  const double error = kMedianOfMean * noise_.back() / std::sqrt(static_cast<double>(count));
  if (error <= limits_.target_relative_error) return Stop::precise;
  if (count < limits_.floor_samples + limits_.steady_window) return Stop::go_on;
  const auto [least, most] = std::minmax_element(noise_.end() - limits_.steady_window, noise_.end());
  // Noise of half the median may be steady too, but is no measurement: only noise below 10 % ends it.
  if (*most < 0.1 && *most - *least <= limits_.steady_change * *most) return Stop::steady;
  return Stop::go_on;
}

}  // namespace ridgeline::profiler
