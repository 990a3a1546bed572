#include "engine/worker/judge/sampling/sampler.hpp"

#include <algorithm>
#include <cmath>

#include "profiler/metrics.hpp"
#include "profiler/stopping.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kSlotsPerCall = 3;  // a pair calls 3K slots, each once
constexpr std::size_t kMuchFaster = 2;    // factor by which a call must have become faster to raise K again
constexpr std::size_t kNearly = 4;        // a batch may have a quarter fewer calls than it should
constexpr double kLeastOfABatch = 0.25;   // the share of a batch's time that its calls took at least

/// Returns a batch's `time` less its fixed cost. An overhead that was measured while the host was busy may be
/// longer than a whole batch.
double without(double overhead, double time) {
  return std::max(time - overhead, kLeastOfABatch * time);
}

/// The least CPU or wall seconds a call: time added by preemption does not belong to the call, nor does the
/// fixed cost of a batch. On a device that is a wake-up and a change of contexts, in which a process that
/// waits awake uses CPU time, so that short batches seemed long and more of them were wanted.
double shortest(const BatchTimes& batch, std::size_t calls, const Overhead& overhead) {
  const double wall = without(overhead.wall, batch.wall), cpu = without(overhead.cpu, batch.cpu);
  return (batch.cpu > 0 ? std::min(wall, cpu) : wall) / static_cast<double>(calls);
}

using Step = Sampler::Step;

std::optional<BatchTimes> timed_call(BatchCaller& caller, std::size_t first, std::size_t count, bool cold) {
  const profiler::ScopedMetric metric(cold ? "timing.calls" : "timing.hot_calls");
  return caller.call(first, count);
}

struct BatchSizes {
  std::size_t longer, shorter;
};

/// Divides the 3K calls of a pair, five sixths of them to the longer batch. The time of a call is a
/// difference of windows over a difference of calls. Next to batches of 2K and K its noise is half as large
/// where that of a window is fixed, and 0.57 times where it grows with the window, so that a third of the
/// pairs give the same precision.
BatchSizes cold_sizes(std::size_t calls) {
  const std::size_t shorter = std::max<std::size_t>(1, calls / 2);
  return {kSlotsPerCall * calls - shorter, shorter};
}

/// Takes one pair on arranged slots, its batches in either order. Each batch's slots are filled right before
/// it and inspected right after it, so that no work can be moved into another window or between windows.
/// Without `keeper` the slots are full already, and nothing is inspected.
Step take_pair(BatchCaller& caller, SlotKeeper* keeper, BatchSizes sizes, bool long_first, BatchPair& pair) {
  pair.longer_calls = sizes.longer;
  pair.shorter_calls = sizes.shorter;
  const std::size_t counts[2] = {long_first ? sizes.longer : sizes.shorter,
                                 long_first ? sizes.shorter : sizes.longer};
  BatchTimes times[2];
  std::size_t first = 0;
  for (int i = 0; i < 2; ++i) {
    const double interruption = keeper ? keeper->fill(first, counts[i], /*cold=*/true) : 0;
    const auto batch = timed_call(caller, first, counts[i], keeper != nullptr);
    if (!batch) return Step::caller_over;
    times[i] = *batch;
    times[i].interruption = interruption;
    if (keeper) times[i].settle = keeper->settle();
    if (keeper && !keeper->inspect(first, counts[i])) return Step::slot_wrong;
    first += counts[i];
  }
  pair.longer = times[long_first ? 0 : 1];
  pair.shorter = times[long_first ? 1 : 0];
  return Step::pair;
}

}  // namespace

std::size_t calls_per_batch(double seconds, std::size_t slots, const SamplingLimits& limits) {
  const std::size_t most = std::max<std::size_t>(1, std::min(limits.most_calls, slots / kSlotsPerCall));
  if (seconds <= 0) return most;
  return static_cast<std::size_t>(
      std::clamp(std::ceil(limits.batch_seconds / seconds), 1.0, static_cast<double>(most)));
}

Sampler::Step Sampler::take() {
  if (!keeper_.arrange(kSlotsPerCall * calls_)) return Step::caller_over;
  pair_ = {};
  const auto step = take_pair(caller_, &keeper_, cold_sizes(calls_), random_.below(2) == 0, pair_);
  if (step != Step::pair) return step;
  const auto wanted = calls_per_batch(shortest(pair_.longer, pair_.longer_calls, caller_.overhead()),
                                      keeper_.slots(), limits_);
  if (pilot_ && wanted > calls_) {
    const bool near = wanted <= calls_ + calls_ / kNearly;
    calls_ = std::min(wanted, 8 * calls_);
    if (!near) return Step::pilot;  // a nearly long enough batch counts
  }
  pilot_ = wanted > kMuchFaster * calls_;  // calls became faster, so batches are too short now
  pair_.clock = keeper_.clock();
  return Step::pair;
}

Sampling sample(BatchCaller& caller, SlotKeeper& keeper, const SamplingLimits& limits, Random& random,
                double (*now)(), std::size_t calls) {
  Sampling sampling;
  profiler::StoppingRule rule({.floor_samples = limits.floor_samples,
                               .target_relative_error = limits.target_error,
                               .cap_seconds = limits.cap_seconds,
                               .goal = limits.goal,
                               .reference = limits.reference_seconds});
  Sampler sampler(caller, keeper, limits, random, calls);
  const double begin = now();
  for (;;) {
    const auto step = sampler.take();
    if (step != Step::pair && step != Step::pilot) {
      sampling.end = end_for(step);
      return sampling;
    }
    const auto& pair = sampler.pair();
    const double cost = pair.longer.wall + pair.shorter.wall;
    if (step == Step::pilot) {
      rule.add_discarded(cost);
      continue;
    }
    sampling.pairs.push_back(pair);
    if (const auto seconds = limits.sample_of(pair))
      rule.add(*seconds, cost);
    else
      rule.add_discarded(cost);
    const double elapsed = now() - begin;
    const auto stop = rule.decide();
    if (stop == profiler::Stop::go_on && elapsed < limits.elapsed_seconds) continue;
    // A single sample has no spread; but three pairs are nine calls, and a call may take seconds.
    if (sampling.pairs.size() < 3 && elapsed < limits.patience_seconds) continue;
    sampling.end = stop == profiler::Stop::precise || stop == profiler::Stop::steady ? SamplingEnd::enough
                                                                                     : SamplingEnd::capped;
    return sampling;
  }
}

HotPlan plan_hot(double cache_bytes, std::size_t slot_bytes, double seconds, std::size_t slots,
                 const SamplingLimits& limits, bool drifts) {
  const auto share = static_cast<std::size_t>(limits.hot_share * cache_bytes);
  HotPlan plan{.slots = std::min(share / std::max<std::size_t>(1, slot_bytes), slots), .refill = drifts};
  if (drifts) {
    if (plan.slots < kSlotsPerCall) return {};
    plan.calls = calls_per_batch(seconds, plan.slots, limits);
    plan.slots = kSlotsPerCall * plan.calls;
    return plan;
  }
  plan.calls = calls_per_batch(seconds, kSlotsPerCall * limits.most_calls, limits);
  plan.slots = std::min(plan.slots, kSlotsPerCall * plan.calls);
  return plan;
}

Sampling sample_hot(BatchCaller& caller, SlotKeeper& keeper, const HotPlan& plan, int pairs) {
  Sampling sampling;
  sampling.end = SamplingEnd::caller_over;
  for (int i = 0; i < pairs; ++i) {
    if (i == 0 || plan.refill) {
      if (!keeper.prepare_rounds(plan)) return sampling;
      if (!caller.call(0, plan.calls) || !caller.call(plan.calls, 2 * plan.calls)) return sampling;
    }
    if (i == 0 && plan.replay && !keeper.inspect(0, std::min(plan.slots, 2 * plan.calls))) {
      sampling.end = SamplingEnd::slot_wrong;
      return sampling;
    }
    BatchPair pair;
    if (const auto step = take_pair(caller, nullptr, {2 * plan.calls, plan.calls}, i % 2 == 0, pair);
        step != Step::pair) {
      sampling.end = end_for(step);
      return sampling;
    }
    sampling.pairs.push_back(pair);
  }
  // At the end: whatever turned wrong meanwhile is still there.
  const bool right = plan.replay || plan.refill || keeper.inspect(0, plan.slots);
  sampling.end = right ? SamplingEnd::enough : SamplingEnd::slot_wrong;
  return sampling;
}

}  // namespace ridgeline::judge
