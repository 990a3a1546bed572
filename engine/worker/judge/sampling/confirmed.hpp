// Takes samples, and confirms a dispute of the clocks before a kernel is blamed. A loaded machine can cause
// a dispute once; a kernel that tampers with clocks causes it again, and one that stops is timed honestly.
// Samples of calls that wait for the host (to allocate, for example) are taken again too, after the judge
// has stopped everything that they could have waited for.
#pragma once

#include <functional>
#include <vector>

#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

/// The result of sampling.
struct ConfirmedSamples {
  /// How the last sampling ended; `evidence` is set if it ended well.
  SamplingEnd end = SamplingEnd::enough;
  Evidence evidence;
  Dispute at_first = Dispute::none;  ///< of the first samples, if they were taken again
};

using TakeSamples = std::function<Sampling()>;
using Weigh = std::function<Evidence(const std::vector<BatchPair>&)>;
/// Waits until the judge does nothing beside the calls. Returns false if it did nothing anyway.
using BackgroundWait = std::function<bool()>;

/// Samples once, or twice if the first samples are disputed or wait for the host. Calls `take` at most
/// twice.
ConfirmedSamples sample_confirmed(const TakeSamples& take, const Weigh& weigh,
                                  const BackgroundWait& wait_for_background_work);

}  // namespace ridgeline::judge
