#include "engine/worker/judge/turns.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace ridgeline::judge {
namespace {

using Taken = Sampler::Taken;

constexpr double kTurnShare =
    0.5;                        // of the cap: timed seconds that a side takes in its turn, one pair at least
constexpr double kNear = 1.05;  // times the least turn
constexpr std::size_t kEnoughTurns = 4;  // of each side, near its least
constexpr double kElapsedShare = 6;      // of the limit for one side that is timed by itself
constexpr std::size_t kSomeTurns = 3;    // that long calls take too, within the limits' patience

double seconds_a_call(const std::vector<BatchPair>& pairs, const Overhead& overhead) {
  std::vector<double> quotients;
  for (const auto& pair : pairs) quotients.push_back(quotient(pair, Clock::wall, overhead));
  return median(quotients);
}

/// Of those that took any time: windows within what an empty batch takes come to none.
double least(const std::vector<Turn>& turns) {
  double seconds = std::numeric_limits<double>::infinity();
  for (const auto& one : turns)
    if (one.seconds > 0) seconds = std::min(seconds, one.seconds);
  return seconds;
}

/// A side, and what its turns have come to.
class Side {
 public:
  Side(TurnTaker& taker, const SamplingLimits& limits, Random& random)
      : taker_(taker), limits_(limits), sampler_(taker.caller, taker.keeper, limits, random) {}

  Taken turn() {
    const auto alone = taker_.begin();
    if (!warm_up()) return Taken::caller_over;
    std::vector<BatchPair> pairs;
    for (double timed = 0; pairs.empty() || timed < kTurnShare * limits_.cap_seconds;) {
      const auto taken = sampler_.take();
      if (taken != Taken::pair && taken != Taken::pilot) return taken;
      timed += sampler_.pair().twice.wall + sampler_.pair().single.wall;
      if (taken == Taken::pair) pairs.push_back(sampler_.pair());
    }
    const double seconds = seconds_a_call(pairs, taker_.overhead);
    turns.push_back({std::move(pairs), seconds});
    return Taken::pair;
  }

  bool enough() const { return undisturbed(turns).size() >= kEnoughTurns; }
  bool slowed() const { return turns.back().seconds > kNear * least(turns); }

  std::vector<Turn> turns;

 private:
  /// The other side's code and data are in the caches of the core. Of long calls that is no part to speak of.
  bool warm_up() {
    if (!turns.empty() && turns.back().seconds > kTurnShare * limits_.cap_seconds) return true;
    return taker_.keeper.prepare(1, /*cold=*/true) && taker_.caller.call(0, 1).has_value();
  }

  TurnTaker& taker_;
  const SamplingLimits& limits_;
  Sampler sampler_;
};

}  // namespace

Turns take_turns(TurnTaker& candidate, TurnTaker& baseline, const SamplingLimits& limits, Random& random,
                 double (*now)(), const std::function<void()>& disturbed) {
  Side ours(candidate, limits, random), theirs(baseline, limits, random);
  const auto told = [&](SamplingEnd end, bool baseline_over = false) {
    return Turns{end, baseline_over, std::move(ours.turns), std::move(theirs.turns)};
  };
  const double begin = now();
  for (std::size_t round = 1;; ++round) {
    const bool ours_first = round % 2 == 0;
    for (auto* side : {ours_first ? &ours : &theirs, ours_first ? &theirs : &ours}) {
      const auto taken = side->turn();
      if (taken == Taken::pair) continue;
      return side == &ours ? told(end_for(taken)) : told(SamplingEnd::capped, /*baseline_over=*/true);
    }
    if (ours.enough() && theirs.enough()) return told(SamplingEnd::enough);
    const double elapsed = now() - begin;
    if (elapsed >= kElapsedShare * limits.elapsed_seconds &&
        (round >= kSomeTurns || elapsed >= limits.patience_seconds))
      return told(SamplingEnd::capped);
    if (ours.slowed() || theirs.slowed()) disturbed();
  }
}

std::vector<Turn> undisturbed(const std::vector<Turn>& turns) {
  std::vector<Turn> near;
  std::copy_if(turns.begin(), turns.end(), std::back_inserter(near),
               [&](const Turn& one) { return one.seconds > 0 && one.seconds <= kNear * least(turns); });
  return near;
}

std::vector<BatchPair> pairs_of(const std::vector<Turn>& turns) {
  std::vector<BatchPair> pairs;
  for (const auto& one : turns) pairs.insert(pairs.end(), one.pairs.begin(), one.pairs.end());
  return pairs;
}

std::vector<double> seconds_of(const std::vector<Turn>& turns) {
  std::vector<double> seconds;
  for (const auto& one : turns) seconds.push_back(one.seconds);
  return seconds;
}

}  // namespace ridgeline::judge
