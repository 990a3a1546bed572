// Finds out whether calls that are queued one behind the other overlap on a device, and what a call takes if
// they cannot. A candidate may leave its work to several streams, or launch kernels that begin before the one
// ahead has ended. Then a batch of calls takes less time than its calls take one after the other, as a user
// would call them, and slopes are too small.
//
// So more pairs are measured, whose calls wait for one another on the device (runner::CallOrder). The ports
// are those of `sample`.
#pragma once

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/confirmed.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

/// Seconds that a wait on the device adds to a call. On an H100 it added 0.9 to 1.3 µs to kernels of 10 to
/// 13 µs on one stream, and 3.4 µs to a call that joins two more (driver 580, docs/measurements.md).
inline constexpr double device_wait = 1.3e-6;

/// Whether calls of `queued` seconds overlap, if they take `apart` seconds when they wait for one another:
/// 5 % and 0.3 µs more than queued, with the wait itself left out.
bool overlap(double queued, double apart);

/// The result of sample_overlap.
struct OverlapSamples {
  /// As of `sample`; `capped` is not used.
  SamplingEnd end = SamplingEnd::enough;
  bool overlaps = false;
  /// Holds the samples of calls that wait for one another, whether queued ones overlap or not, less
  /// device_wait. Samples that are not above 0 then are dropped; if calls overlap, at least half remain. Read
  /// its dispute before `overlaps`. It means nothing if `end` is not `enough`.
  Evidence evidence;
};

/// Measures pairs of calls that wait for one another; whoever calls this sets that order in `caller` before,
/// and resets it. Ends after three pairs, or after one or two if limits.elapsed_seconds are over by then.
/// Goes on to nine while the pairs suggest an overlap, and always after a dispute, as long as there is time.
/// `queued`: seconds of a queued call.
OverlapSamples sample_overlap(BatchCaller& caller, SlotKeeper& keeper, const SamplingLimits& limits,
                              Random& random, double (*now)(), const Weigh& weigh, double queued);

/// As sample_overlap, but takes all pairs once more if they are disputed, and returns the second result,
/// disputed or not. A busy machine disputes once; a reply that comes early to hide an overlap does so again.
OverlapSamples sample_overlap_with_retry(BatchCaller& caller, SlotKeeper& keeper,
                                         const SamplingLimits& limits, Random& random, double (*now)(),
                                         const Weigh& weigh, double queued);

}  // namespace ridgeline::judge
