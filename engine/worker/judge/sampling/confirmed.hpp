// Samples and what they come to, where a dispute of the clocks is confirmed before a kernel is blamed: a
// machine under load can make it look so once, a kernel that plays with clocks does so again, and one that
// stops is timed honestly. Calls that wait for the host, to allocate say, are taken again too, once nothing
// that the judge itself does beside them can be what they waited for.
#pragma once

#include <functional>
#include <vector>

#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

struct Confirmed {
  SamplingEnd end =
      SamplingEnd::enough;  ///< of the samples taken last; `evidence` holds where they ended well
  Evidence evidence;
  Dispute at_first = Dispute::none;  ///< of the first samples, where others were taken for it
};

using TakeSamples = std::function<Sampling()>;
using Weigh = std::function<Evidence(const std::vector<BatchPair>&)>;
/// Waits until the judge does nothing beside the calls; false: it did nothing.
using Quieten = std::function<bool()>;

/// Calls `take` twice at most.
Confirmed sample_confirmed(const TakeSamples& take, const Weigh& weigh, const Quieten& quieten);

}  // namespace ridgeline::judge
