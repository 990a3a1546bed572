// Decides what calls with sealed inputs say about the times of a batch (docs/decisions/sealed-inputs.md).
// All inputs of a usual batch lie in their slots when its window opens, so its first call may do the work of
// the others beside its own where one call does not fill the device: each output is right, and slopes are too
// small. In a batch with sealed inputs, those of a call come to be known once the outputs of the one ahead
// cannot change any more.
//
// Batches are called in two ways. If the L2 is emptied between opening and the call, inputs are as cold as in
// a usual batch; but a process that takes these steps over can begin its call beside the emptying. If it is
// not emptied, nothing runs between the key and the digest but opening and the call itself, and an honest
// call is no slower than a cold one, as its inputs lie in the L2. Calls that were helped show in one of both.
//
// Plain numbers: no clock, no process. The port that sample_sealed_calls takes holds both.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

/// What batches with sealed inputs take beside their calls, in seconds, measured before a candidate was
/// loaded.
struct SealedCosts {
  double per_batch = 0;  ///< a batch: a wake-up, and the change of contexts
  double per_call = 0;   ///< a call without arguments: a key's and a digest's way, and emptying the L2 if so
};
/// Of batches before whose calls the L2 is emptied, and of others.
struct CostsOfSealing {
  SealedCosts emptied, kept;
};

/// How many calls a batch has, and what one takes beside the candidate's work.
struct SealedPlan {
  std::size_t calls = 0;               ///< 0: no such batch says anything about calls of this length
  double per_batch = 0, per_call = 0;  ///< seconds beside the calls
  /// Seconds by which a call may come out too long: what a first call meets is spread over the batch, and
  /// what opening takes is calculated.
  double allowance = 0;
};

/// Plans batches for calls of `in_batch` seconds, of at most `most_calls`: so many that a window is long
/// beside what is uncertain of it. A candidate's calls above longest_sealed_call are timed alone instead; its
/// reference's may be longer.
/// `opening`: seconds that opening a call's inputs and making the digest of its outputs take
/// (Arena::opening_seconds). `write_back`: seconds by which a call may be longer since opened inputs are
/// written back beside it.
SealedPlan plan_sealed_calls(double in_batch, double opening, std::size_t most_calls,
                             const SealedCosts& costs, double write_back = 0);

/// Seconds. What windows of one call leave open (lone_calls.hpp) is little beside longer calls.
inline constexpr double longest_sealed_call = 5e-3;

/// Whether a call of `in_batch` seconds was helped by others, if a sealed one takes `sealed` seconds:
/// sealed - allowance > 1.1 in_batch.
bool helped_by_others(double in_batch, double sealed, const SealedPlan& plan);

/// Fills slots, seals them, calls them as one batch, and checks that each digest is that of the outputs.
class SealedBatches {
 public:
  virtual ~SealedBatches() = default;
  /// Returns the window's seconds; empty, with `end` set, if the caller or a slot failed.
  virtual std::optional<double> call(std::size_t calls, SamplingEnd& end) = 0;
};

/// Windows of calls with sealed inputs.
struct SealedCallTimes {
  SamplingEnd end = SamplingEnd::enough;  ///< as of `sample`; `capped` is not used
  /// Seconds a call, of each window, less what the plan says that batch and call take besides.
  std::vector<double> seconds;
  /// The least, since whatever disturbs a window makes it longer; 0 if there is none.
  double least() const;
};

/// Takes `fewest` windows, and up to nine while the least says that calls were helped: a busy host says so
/// too.
SealedCallTimes sample_sealed_calls(SealedBatches& batches, const SealedPlan& plan, double in_batch,
                                    std::size_t fewest = 1);

}  // namespace ridgeline::judge
