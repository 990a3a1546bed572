// Decides when a measurement has enough samples: a policy fed plain numbers, without clock or I/O.
//
// There are two reasons to stop early, as in NVIDIA's nvbench (its `stdrel` and `entropy` criteria): the
// standard error of the median is small enough, or the noise itself has stopped changing, so that more
// samples would gain little. It always stops at the cap on time; before that, it never stops with fewer than
// a least number of samples.
//
// A goal takes the place of both reasons: sampling stops once the 95 % interval that will be shown is as
// narrow as was asked for.
#pragma once

#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::profiler {

/// The limits of the policy.
struct StoppingLimits {
  int floor_samples = 8;                 ///< does not stop before, except at the cap
  int most_samples = 400;                ///< always stops at
  double target_relative_error = 0.005;  ///< standard error of the median over the median
  double cap_seconds = 0.06;             ///< the most time to spend on measuring
  int steady_window = 12;                ///< samples over which the noise must not change
  double steady_change = 0.05;           ///< relative change of the noise within that window
  /// Half of the 95 % interval of the median, over the median, at which to stop; 0: no goal. An interval
  /// takes at least six samples, whatever `floor_samples` is.
  double goal = 0;
  /// A value in the unit of the samples; 0: none. A median that is larger may be as many times less precise,
  /// so that its quotient with this value, which is below 1, is as far off at most as 1 would be.
  double reference = 0;
};

/// Why to stop: enough precision, steady noise, or the cap; `go_on` means not yet.
enum class Stop { go_on, precise, steady, cap };
constexpr auto enum_names(Stop) {
  return std::to_array<Name<Stop>>(
      {{Stop::go_on, "go_on"}, {Stop::precise, "precise"}, {Stop::steady, "steady"}, {Stop::cap, "cap"}});
}

/// Judges the samples of one measurement. One thread.
class StoppingRule {
 public:
  explicit StoppingRule(StoppingLimits limits) : limits_(limits) {}

  /// Adds a sample, `value` in any unit, whose measurement took `seconds`.
  void add(double value, double seconds);
  /// Adds the cost of a sample that was discarded.
  void add_discarded(double seconds) { spent_ += seconds; }

  /// Whether to stop, and why.
  Stop decide() const;
  double spent() const { return spent_; }  ///< seconds so far
  const std::vector<double>& samples() const { return samples_; }
  /// Returns the noise robustly: 1.4826 times the median absolute deviation, over the median. 0 with fewer
  /// than two samples, infinite if the median is not positive.
  double relative_noise() const;

 private:
  Stop decide_by_goal() const;

  StoppingLimits limits_;
  double spent_ = 0;
  std::vector<double> samples_;
  std::vector<double> noise_;  // relative noise after each sample
};

}  // namespace ridgeline::profiler
