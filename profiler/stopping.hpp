// When a measurement has seen enough: a policy fed plain numbers, without clock or I/O.
//
// Two reasons to stop early, as in NVIDIA's nvbench (its `stdrel` and `entropy` criteria): the standard error
// of the median is small enough, or the noise itself has stopped changing, so that more samples would buy
// little. Never before a floor of samples; always at the cap on the time spent.
#pragma once

#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::profiler {

struct StoppingLimits {
  int floor_samples = 8;
  int most_samples = 400;
  double target_relative_error = 0.005;  ///< standard error of the median over the median
  double cap_seconds = 0.06;             ///< of measuring
  int steady_window = 12;                ///< samples over which the noise must have stood still
  double steady_change = 0.05;           ///< relative change of the noise within that window
};

enum class Stop { go_on, precise, steady, cap };
constexpr auto enum_names(Stop) {
  return std::to_array<Name<Stop>>(
      {{Stop::go_on, "go_on"}, {Stop::precise, "precise"}, {Stop::steady, "steady"}, {Stop::cap, "cap"}});
}

class StoppingRule {
 public:
  explicit StoppingRule(StoppingLimits limits) : limits_(limits) {}

  /// `value` in any unit; `seconds` is what taking it cost, a discarded sample's cost too (`waste`).
  void add(double value, double seconds);
  void waste(double seconds) { spent_ += seconds; }

  Stop decide() const;
  double spent() const { return spent_; }
  const std::vector<double>& samples() const { return samples_; }
  /// Robust: 1.4826 times the median absolute deviation, over the median; 0 with fewer than two samples.
  double relative_noise() const;

 private:
  StoppingLimits limits_;
  double spent_ = 0;
  std::vector<double> samples_;
  std::vector<double> noise_;  // relative noise after each sample
};

}  // namespace ridgeline::profiler
