#include "engine/worker/judge/sampling/confirmed.hpp"

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kHostShare = 1.1;  // calls that keep the device busy throughout stay below 1.02

/// Whether a call takes longer than the time for which the runner's clock saw the device work on it.
bool waits_for_host(const Evidence& evidence) {
  return evidence.claimed > 0 && median(evidence.samples) > kHostShare * evidence.claimed;
}

}  // namespace

ConfirmedSamples sample_confirmed(const TakeSamples& take, const Weigh& weigh,
                                  const BackgroundWait& wait_for_background_work) {
  ConfirmedSamples confirmed;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto sampling = take();
    confirmed.end = sampling.end;
    if (sampling.end == SamplingEnd::slot_wrong || sampling.end == SamplingEnd::caller_over) break;
    confirmed.at_first = confirmed.evidence.dispute;
    confirmed.evidence = weigh(sampling.pairs);
    const bool disputed = confirmed.evidence.dispute != Dispute::none;
    if (attempt > 0 || !(disputed || waits_for_host(confirmed.evidence))) break;
    if (!wait_for_background_work() && !disputed) break;
  }
  return confirmed;
}

}  // namespace ridgeline::judge
