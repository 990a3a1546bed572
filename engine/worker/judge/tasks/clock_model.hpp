// Says how times are taken, and weighs them by the clocks that a CPU or a GPU has. A backend implements this
// port. Decisions on plain numbers: it reads no clock itself.
#pragma once

#include <vector>

#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

class ClockModel {
 public:
  virtual ~ClockModel() = default;

  /// Returns the limits of sampling, for at most `cap` seconds of timed windows a case.
  virtual SamplingLimits sampling(double cap) const = 0;
  /// Turns pairs of batches into the time of a call, by the clocks that this backend has.
  virtual Evidence weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) const = 0;
  /// Returns seconds a call, from both whole windows of a pair; CPU time outside the windows is added where a
  /// CPU computes.
  virtual double seconds_a_call(const BatchPair& pair, const Overhead& overhead) const = 0;
  /// Returns seconds a call, from the difference of a pair's windows, by the same clock as seconds_a_call.
  virtual double slope_a_call(const BatchPair& pair) const = 0;
  /// Returns whether batches can be replayed as graphs.
  virtual bool replays_graphs() const { return false; }
  /// Returns whether a runner that starts meanwhile disturbs what is timed.
  virtual bool starts_disturb() const { return true; }
};

}  // namespace ridgeline::judge
