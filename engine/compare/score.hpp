// The one place that says of a candidate whether it solves its task, how fast it is, which speed-up a user
// keeps, and whether it counts for fast_p. All tables, curves and tests of a comparison ask here. Pure.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "engine/compare/speed.hpp"
#include "engine/compare/trajectory.hpp"

namespace ridgeline::compare {

/// The values of p for fast_p (KernelBench): the share of trajectories whose kernel is correct and more than
/// p times as fast as the baseline. fast_0 is the share that is correct, timed or not.
inline constexpr std::array fast_thresholds{0.0, 0.5, 0.8, 1.0, 1.5, 2.0};

/// The score of a candidate under a rule, or of a trajectory by its scored kernel.
struct Score {
  bool solved = false;
  double speedup = 0;  ///< over the baseline, as measured; 0 unless solved and timed

  bool timed() const { return speedup > 0; }
  /// Returns the speed-up that a user keeps: the kernel's if it is faster, else the baseline's, 1.
  double kept() const { return speedup > 1 ? speedup : 1; }
  /// Whether it counts for fast_p.
  bool faster_than(double p) const { return solved && (p == 0 || speedup > p); }
};

/// Scores an outcome; null, one that was not judged and one that is wrong solve nothing.
Score score_of(const CandidateOutcome* outcome, CorrectnessRule rule = CorrectnessRule::hardened);

/// Sums up the scores of one strategy.
class ScoreTally {
 public:
  /// Counts fast_p for these p, which outlive it.
  explicit ScoreTally(std::span<const double> thresholds = {})
      : thresholds_(thresholds), fast_(thresholds.size()) {}

  /// Adds a trajectory's score; `task` outlives the tally. A weight other than 1 counts for fast_p alone.
  void add(std::string_view task, const Score& score, double weight = 1);

  int solved() const { return solved_; }
  int untimed() const { return solved_ - static_cast<int>(kernels_.size()); }  ///< solved, without a time
  const std::vector<double>& fast() const { return fast_; }  ///< sum of weights above each threshold
  Speed speed() const { return speed_of(kernels_); }         ///< of those solved that are timed
  /// The quartiles, the median in the middle, of what all that were added keep; all 1 if there are none.
  std::array<double, 3> kept_quartiles() const;

 private:
  std::span<const double> thresholds_;
  std::vector<double> fast_;
  std::vector<TimedKernel> kernels_;
  int solved_ = 0, added_ = 0;
};

}  // namespace ridgeline::compare
