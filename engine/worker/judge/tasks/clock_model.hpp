// The interface by which a backend (judging on a CPU or on a GPU) turns measured times into the time of one
// call. On a CPU it chooses between the wall clock and CPU time; on a GPU it leaves out pairs that were
// measured while the device ran at a low clock rate. An implementation computes with times that others
// measured; it reads no clock.
//
// Calls are timed in pairs of batches, a longer and a shorter one (BatchPair). The window of a batch is the
// time from the order to run it until the reply. The difference of the two windows is free of the fixed cost
// of a batch; their sum cannot be lowered by moving work between batches (batch_evidence.hpp).
#pragma once

#include <vector>

#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

class ClockModel {
 public:
  virtual ~ClockModel() = default;

  /// Returns when to stop measuring a case, whose windows may take `cap` seconds in all.
  virtual SamplingLimits sampling(double cap) const = 0;
  /// Turns all pairs of a measurement into samples, in seconds per call, and says whether this backend's
  /// clocks contradict each other. `overhead` is what a batch without calls takes.
  virtual Evidence weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) const = 0;
  /// Returns seconds per call: the sum of a pair's windows over all its calls. On a CPU that is the CPU time
  /// within the windows, and what the runner used between them is added; on a GPU it is wall time less
  /// `overhead`.
  virtual double seconds_a_call(const BatchPair& pair, const Overhead& overhead) const = 0;
  /// Returns seconds per call: the difference of a pair's windows over that of their calls, by the clock
  /// of seconds_a_call.
  virtual double slope_a_call(const BatchPair& pair) const = 0;
  /// Returns whether a batch can be recorded as a CUDA graph and replayed.
  virtual bool replays_graphs() const { return false; }
  /// Returns whether a runner (the confined process of a candidate) that starts while something is timed
  /// makes it slower.
  virtual bool starts_disturb() const { return true; }
};

}  // namespace ridgeline::judge
