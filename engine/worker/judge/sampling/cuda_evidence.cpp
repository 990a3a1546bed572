#include "engine/worker/judge/sampling/cuda_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/median_over.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kDeviceEstimatorsAgree =
    0.9;  // below this, calls cost more in short batches than in long ones
constexpr double kDeviceClaimShare = 0.8;
constexpr double kBusyShare = 0.2;
constexpr double kBusyAbsolute = 1e-6;  // seconds a call
// Seconds. A device that has finished answers another process within 0.15 ms. A device with work left
// answers after 2 ms, when its time slice ends: however much work is left, and alike after short and long
// batches.
constexpr double kMostAnswer = 0.5e-3;
// The share of pairs that answer late after either batch, if a fifth of a batch is longer than the limit and
// would hide it. (Shorter batches of honest kernels reached three quarters while the judge itself used the
// driver.)
constexpr double kShareAnsweringLate = 0.75;
// Contexts that start or end beside a timing interrupt single fillings.
constexpr double kShareInterrupted = 0.2;
constexpr std::size_t kLeastInterrupted = 2;
constexpr double kLeastClockShare = 0.75;
constexpr std::size_t kEnoughAtSpeed = 3;
constexpr double kDeviceClaimAbsolute = 20e-6;  // seconds a window, for an occasional slow wake-up

/// Seconds a call for which the device was still at work after the replies.
double still_busy(const BatchPair& pair) {
  return (pair.longer.settle - pair.shorter.settle) / pair.calls_apart();
}

/// The pairs that were taken at a high clock; all pairs if too few were.
std::vector<BatchPair> at_speed(const std::vector<BatchPair>& pairs, double full_clock) {
  std::vector<BatchPair> fast;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(fast), [&](const auto& pair) {
    return pair.clock == 0 || pair.clock >= kLeastClockShare * full_clock;
  });
  return fast.size() < std::min(kEnoughAtSpeed, pairs.size()) ? pairs : fast;
}

}  // namespace

std::optional<double> uninterrupted_slope(const BatchPair& pair) {
  return interrupted(pair) ? std::nullopt : std::optional(slope_on_device(pair));
}

double slope_on_device(const BatchPair& pair) {
  return (pair.longer.wall - pair.shorter.wall) / pair.calls_apart();
}

double quotient_on_device(const BatchPair& pair, const Overhead& overhead) {
  return std::max(0.0, pair.longer.wall + pair.shorter.wall - 2 * overhead.wall) / pair.all_calls();
}

Evidence weigh_on_device(const std::vector<BatchPair>& all, const Overhead& overhead, double full_clock) {
  Evidence evidence;
  if (all.empty()) return evidence;
  evidence.pairs = all.size();
  std::vector<BatchPair> alone;
  std::ranges::copy_if(all, std::back_inserter(alone), [](const auto& pair) { return !interrupted(pair); });
  evidence.interrupted = all.size() - alone.size();
  const auto often = kShareInterrupted * static_cast<double>(all.size());
  if (alone.empty() ||
      (evidence.interrupted >= kLeastInterrupted && static_cast<double>(evidence.interrupted) >= often)) {
    evidence.dispute = Dispute::outside_window;
    evidence.detail = fmt::format(
        "the device worked for another process while the judge filled the slots of {} of {} samples",
        evidence.interrupted, all.size());
  }
  // Without others these still say how long the calls seemed to take.
  if (alone.empty()) alone = all;
  const auto pairs = at_speed(alone, full_clock);
  evidence.slow = alone.size() - pairs.size();
  evidence.clock_hz = median_over(pairs, [](const auto& p) { return p.clock; });
  const double by_slope = median_over(pairs, slope_on_device);
  const double by_quotient =
      median_over(pairs, [&](const auto& p) { return quotient_on_device(p, overhead); });
  if (by_quotient > 0) evidence.agreement = by_slope / by_quotient;
  // Wasting time in short batches makes slopes too small. The quotient cannot be lowered in that way.
  if (evidence.agreement < kDeviceEstimatorsAgree) evidence.estimator = Estimator::quotient;
  for (const auto& pair : pairs) {
    const double value =
        evidence.estimator == Estimator::slope ? slope_on_device(pair) : quotient_on_device(pair, overhead);
    if (value > 0) evidence.samples.push_back(value);
  }
  evidence.claimed = median_over(
      pairs, [](const auto& p) { return p.longer.claimed / static_cast<double>(p.longer_calls); });
  if (evidence.dispute != Dispute::none) return evidence;
  const double busy = median_over(pairs, still_busy);
  if (busy > kBusyShare * median(evidence.samples) + kBusyAbsolute) {
    evidence.dispute = Dispute::outside_window;
    evidence.detail = fmt::format(
        "the runner said that its calls had ended, and the device was busy for {:.1f} µs more for each",
        busy * 1e6);
    return evidence;
  }
  const double answer =
      median_over(pairs, [](const auto& p) { return std::min(p.shorter.settle, p.longer.settle); });
  const auto late = std::count_if(pairs.begin(), pairs.end(), [](const auto& p) {
    return std::max(p.shorter.settle, p.longer.settle) > kMostAnswer;
  });
  const double batch = median_over(pairs, [](const auto& p) { return p.shorter.wall; });
  const bool hidden = kBusyShare * batch > kMostAnswer;
  if (answer > kMostAnswer ||
      (hidden && static_cast<double>(late) >= kShareAnsweringLate * static_cast<double>(pairs.size()))) {
    evidence.dispute = Dispute::outside_window;
    evidence.detail = fmt::format(
        "the runner said that its calls had ended, and the device answered nobody else for {:.1f} ms more",
        1e3 * median_over(pairs, [](const auto& p) { return std::max(p.shorter.settle, p.longer.settle); }));
    return evidence;
  }
  const double claimed = median_over(pairs, [](const auto& p) { return p.longer.claimed; });
  const double seen =
      median_over(pairs, [&](const auto& p) { return p.longer.wall - overhead.wall - p.longer.waited; });
  if (claimed > 0 && claimed < kDeviceClaimShare * seen - kDeviceClaimAbsolute) {
    evidence.dispute = Dispute::claim_undercuts;
    evidence.detail =
        fmt::format("the runner claims {:.1f} µs for a batch, the judge's window lasted {:.1f} µs",
                    claimed * 1e6, seen * 1e6);
  }
  return evidence;
}

}  // namespace ridgeline::judge
