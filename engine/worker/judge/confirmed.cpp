#include "engine/worker/judge/confirmed.hpp"

namespace ridgeline::judge {

Confirmed sample_confirmed(BatchCaller& caller, SlotKeeper& keeper, const SamplingLimits& limits,
                           Random& random, double (*now)(), const Weigh& weigh) {
  Confirmed confirmed;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto sampling = sample(caller, keeper, limits, random, now);
    confirmed.end = sampling.end;
    if (sampling.end == SamplingEnd::slot_wrong || sampling.end == SamplingEnd::caller_over) break;
    confirmed.at_first = confirmed.evidence.dispute;
    confirmed.evidence = weigh(sampling.pairs);
    if (confirmed.evidence.dispute == Dispute::none) break;
  }
  return confirmed;
}

}  // namespace ridgeline::judge
