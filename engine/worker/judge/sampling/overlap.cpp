#include "engine/worker/judge/sampling/overlap.hpp"

#include <algorithm>
#include <vector>

namespace ridgeline::judge {
namespace {

constexpr double kOverlapShare = 1.05;      // what a cheat may gain at most
constexpr double kOverlapSeconds = 0.3e-6;  // by which a wait differs from kernel to kernel
constexpr std::size_t kFewPairs = 3;
constexpr std::size_t kManyPairs = 9;
constexpr int kMostPilots = 8;  // K is known from the queued calls; one by one they may be slower

}  // namespace

bool overlap(double queued, double apart) {
  return apart - device_wait > kOverlapShare * queued + kOverlapSeconds;
}

OverlapSamples sample_overlap(BatchCaller& caller, SlotKeeper& keeper, const SamplingLimits& limits,
                              Random& random, double (*now)(), const Weigh& weigh, double queued) {
  OverlapSamples found;
  std::vector<BatchPair> pairs;
  Sampler sampler(caller, keeper, limits, random, calls_per_batch(queued, keeper.slots(), limits));
  const double begin = now();
  int pilots = 0;
  bool disputed = false;
  while (pairs.size() < kManyPairs) {
    const auto step = sampler.take();
    if (step == Sampler::Step::caller_over || step == Sampler::Step::slot_wrong) {
      found.end = end_for(step);
      return found;
    }
    if (step == Sampler::Step::pilot && ++pilots <= kMostPilots) continue;
    pairs.push_back(sampler.pair());
    const bool enough = pairs.size() >= kFewPairs || now() - begin > limits.elapsed_seconds;
    if (!enough) continue;
    found.evidence = weigh(pairs);
    const auto& samples = found.evidence.samples;
    found.overlaps = !samples.empty() && overlap(queued, median(samples));
    // A dispute needs nine pairs: a busy host disturbs two of three often enough to dispute honest kernels.
    disputed = disputed || found.evidence.dispute != Dispute::none;
    if ((!found.overlaps && !disputed) || now() - begin > limits.elapsed_seconds) break;
  }
  auto& samples = found.evidence.samples;
  for (auto& sample : samples) sample -= device_wait;
  // A time is above 0. A clamped sample would look like a very fast call.
  std::erase_if(samples, [](double sample) { return sample <= 0; });
  return found;
}

OverlapSamples sample_overlap_with_retry(BatchCaller& caller, SlotKeeper& keeper,
                                         const SamplingLimits& limits, Random& random, double (*now)(),
                                         const Weigh& weigh, double queued) {
  auto found = sample_overlap(caller, keeper, limits, random, now, weigh, queued);
  if (found.end == SamplingEnd::enough && found.evidence.dispute != Dispute::none)
    found = sample_overlap(caller, keeper, limits, random, now, weigh, queued);
  return found;
}

}  // namespace ridgeline::judge
