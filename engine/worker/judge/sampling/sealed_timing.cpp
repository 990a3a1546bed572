#include "engine/worker/judge/sampling/sealed_timing.hpp"

#include <algorithm>
#include <cmath>

namespace ridgeline::judge {
namespace {

constexpr double kHelpedShareSealed = 1.1;
constexpr double kSealedWindow = 3e-3;  // seconds that a window shall take
constexpr std::size_t kFewestSealed = 4, kMostSealed = 64;
constexpr std::size_t kMostSealedWindows = 9;
// Seconds. What the first call of a batch meets beside the others: tables of addresses that are cold for all
// it touches. A window of one call took up to 150 µs more than its call (lone_calls.hpp), of which the change
// of contexts is in SealedCosts::per_batch.
constexpr double kFirstCallMore = 100e-6;
constexpr double kUncertainStep = 2e-6;    // seconds; launches of a call come one by one
constexpr double kUncertainOpening = 0.1;  // of what opening and a digest take

}  // namespace

SealedPlan plan_sealed_calls(double in_batch, double opening, std::size_t most_calls,
                             const SealedCosts& costs, double write_back) {
  if (in_batch <= 0 || most_calls < 2) return {};
  SealedPlan plan{.per_batch = costs.per_batch, .per_call = costs.per_call + opening};
  const double wanted = std::ceil(kSealedWindow / (in_batch + plan.per_call));
  const auto calls = static_cast<std::size_t>(
      std::clamp(wanted, static_cast<double>(kFewestSealed), static_cast<double>(kMostSealed)));
  plan.calls = std::min(calls, most_calls);
  plan.allowance = kUncertainStep + kUncertainOpening * opening + write_back +
                   kFirstCallMore / static_cast<double>(plan.calls);
  return plan;
}

bool helped_by_others(double in_batch, double sealed, const SealedPlan& plan) {
  return sealed - plan.allowance > kHelpedShareSealed * in_batch;
}

double SealedCallTimes::least() const {
  return seconds.empty() ? 0 : *std::ranges::min_element(seconds);
}

SealedCallTimes sample_sealed_calls(SealedBatches& batches, const SealedPlan& plan, double in_batch,
                                    std::size_t fewest) {
  SealedCallTimes times;
  while (times.seconds.size() < fewest ||
         (times.seconds.size() < kMostSealedWindows && helped_by_others(in_batch, times.least(), plan))) {
    const auto window = batches.call(plan.calls, times.end);
    if (!window) return times;
    times.seconds.push_back((*window - plan.per_batch) / static_cast<double>(plan.calls) - plan.per_call);
  }
  return times;
}

}  // namespace ridgeline::judge
