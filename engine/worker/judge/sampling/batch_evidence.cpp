#include "engine/worker/judge/sampling/batch_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/median_over.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kWake = 150e-6;    // wake-ups on an idle virtual machine take up to some 100 µs
constexpr double kStretch = 0.03;   // the share of a window that interrupts may take
constexpr std::size_t kEnough = 3;  // undisturbed pairs below which CPU time becomes the clock
// Below this agreement the quotient is used: it is honest too, and cannot be lowered.
constexpr double kEstimatorsAgree = 0.97;
constexpr double kShortBatchesCostMore = 0.9;  // slope over quotient, below which a remark is made
constexpr double kOutsideAbsolute = 60e-6;     // sending a reply and waiting again take about 10 µs
constexpr double kOutsideShare = 0.15;
constexpr std::size_t kLeastActs = 2;  // one suspicious pair proves nothing
constexpr double kShareWorkingOutside = 0.2;
constexpr double kShareClaimingTooLittle = 0.5;  // single claims fall short when the judge is delayed
constexpr double kClaimShare = 0.75;
constexpr double kClaimAbsolute = 60e-6;

/// The CPU time outside the windows, if it is more than sending a reply and waiting again take.
double outside_of(const BatchPair& pair) {
  const double outside = pair.longer.outside_cpu + pair.shorter.outside_cpu;
  return outside > kOutsideAbsolute ? outside : 0;
}

/// The time of a batch. Work outside counts in both windows, since it cannot be seen which window it was
/// for.
double time_of(const BatchPair& pair, const BatchTimes& batch, Clock clock) {
  return (clock == Clock::wall ? batch.wall : batch.cpu) + outside_of(pair);
}

bool worked_outside(const BatchPair& pair) {
  return outside_of(pair) > kOutsideAbsolute + kOutsideShare * (pair.longer.cpu + pair.shorter.cpu);
}

bool claims_too_little(const BatchPair& pair, const Overhead& overhead) {
  return pair.longer.claimed < kClaimShare * (pair.longer.cpu - overhead.cpu) - kClaimAbsolute;
}

/// Whether a suspicion holds for enough of the pairs.
template <class Suspect>
bool often(const std::vector<BatchPair>& pairs, double share, Suspect&& suspect) {
  const auto count = static_cast<std::size_t>(std::count_if(pairs.begin(), pairs.end(), suspect));
  return count >= kLeastActs && static_cast<double>(count) >= share * static_cast<double>(pairs.size());
}

void find_dispute(const std::vector<BatchPair>& pairs, const Overhead& overhead, Evidence& evidence) {
  const double inside = median_over(pairs, [](const auto& p) { return p.longer.cpu + p.shorter.cpu; });
  if (often(pairs, kShareWorkingOutside, worked_outside)) {
    std::vector<BatchPair> suspects;
    std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(suspects), worked_outside);
    evidence.dispute = Dispute::outside_window;
    evidence.detail =
        fmt::format("{:.0f} µs of CPU time were used outside the timed windows, {:.0f} µs inside",
                    median_over(suspects, outside_of) * 1e6, inside * 1e6);
    return;
  }
  if (often(pairs, kShareClaimingTooLittle,
            [&](const auto& pair) { return claims_too_little(pair, overhead); })) {
    const double claimed =
        median_over(pairs, [](const auto& p) { return p.longer.claimed + p.shorter.claimed; });
    evidence.dispute = Dispute::claim_undercuts;
    evidence.detail = fmt::format("the runner claims {:.0f} µs for calls that took {:.0f} µs of CPU time",
                                  claimed * 1e6, inside * 1e6);
  }
}

}  // namespace

bool undisturbed(const BatchTimes& batch) {
  return batch.wall - batch.cpu <= kWake + kStretch * batch.wall;
}

std::optional<double> undisturbed_slope(const BatchPair& pair) {
  return undisturbed(pair) ? std::optional(slope(pair, Clock::wall)) : std::nullopt;
}

double slope(const BatchPair& pair, Clock clock) {
  return (time_of(pair, pair.longer, clock) - time_of(pair, pair.shorter, clock)) / pair.calls_apart();
}

double quotient(const BatchPair& pair, Clock clock, const Overhead& overhead) {
  const double without =
      clock == Clock::wall ? 2 * overhead.wall : 0;  // CPU time has no overhead to subtract
  const double both = time_of(pair, pair.longer, clock) + time_of(pair, pair.shorter, clock);
  return std::max(0.0, both - without) / pair.all_calls();
}

Evidence weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) {
  Evidence evidence;
  if (pairs.empty()) return evidence;
  std::vector<BatchPair> undisturbed_pairs;
  for (const auto& pair : pairs)
    if (undisturbed(pair)) undisturbed_pairs.push_back(pair);
  evidence.pairs = pairs.size();
  evidence.set_aside = pairs.size() - undisturbed_pairs.size();
  if (undisturbed_pairs.size() < std::min(kEnough, pairs.size())) {
    evidence.clock = Clock::cpu;
    undisturbed_pairs = pairs;
  }
  const auto clock = evidence.clock;
  const double by_slope = median_over(undisturbed_pairs, [&](const auto& p) { return slope(p, clock); });
  const double by_quotient =
      median_over(undisturbed_pairs, [&](const auto& p) { return quotient(p, clock, overhead); });
  if (by_quotient > 0) evidence.agreement = by_slope / by_quotient;
  if (evidence.agreement < kEstimatorsAgree) evidence.estimator = Estimator::quotient;
  for (const auto& pair : undisturbed_pairs) {
    const double value =
        evidence.estimator == Estimator::slope ? slope(pair, clock) : quotient(pair, clock, overhead);
    if (value > 0) evidence.samples.push_back(value);
  }
  const auto a_call = [&](double BatchTimes::* time) {
    return median_over(undisturbed_pairs,
                       [&](const auto& p) { return p.longer.*time / static_cast<double>(p.longer_calls); });
  };
  evidence.claimed = a_call(&BatchTimes::claimed);
  evidence.cpu = a_call(&BatchTimes::cpu);
  find_dispute(pairs, overhead, evidence);
  return evidence;
}

std::vector<std::string> remarks_on(const Evidence& evidence) {
  std::vector<std::string> remarks;
  if (evidence.clock == Clock::cpu)
    remarks.push_back(fmt::format("timed by CPU time, since other programs disturbed {} of {} samples",
                                  evidence.set_aside, evidence.pairs));
  if (evidence.slow > 0)
    remarks.push_back(fmt::format("{} of {} samples were taken at a low clock of the device and are left out",
                                  evidence.slow, evidence.pairs));
  if (evidence.interrupted > 0)
    remarks.push_back(
        fmt::format("{} of {} samples are left out: the device worked for another process while their slots "
                    "were filled",
                    evidence.interrupted, evidence.pairs));
  if (evidence.estimator == Estimator::quotient && evidence.agreement < kShortBatchesCostMore)
    remarks.push_back(fmt::format(
        "timed by whole batches, since calls in short ones cost more: their slope is {:.2f} of it",
        evidence.agreement));
  return remarks;
}

}  // namespace ridgeline::judge
