#include "engine/worker/judge/turns.hpp"

#include <utility>

#include "profiler/stopping.hpp"

namespace ridgeline::judge {
namespace {

using Taken = Sampler::Taken;

constexpr double kTurnShare = 0.5;  // of the cap: timed seconds that a side takes in its turn, one pair at least
constexpr int kLeastTurns = 5;
constexpr double kElapsedShare = 4;    // of the limit for one side that is timed by itself
constexpr std::size_t kSomeTurns = 3;  // that long calls take too, within the limits' patience

/// A side, and what its turns have come to.
class Side {
 public:
  Side(TurnTaker& taker, const SamplingLimits& limits, Random& random)
      : taker_(taker), limits_(limits), sampler_(taker.caller, taker.keeper, limits, random) {}

  Taken turn() {
    const auto alone = taker_.begin();
    turn_.clear();
    if (!warm_up()) return Taken::caller_over;
    for (double timed = 0; turn_.empty() || timed < kTurnShare * limits_.cap_seconds;) {
      const auto taken = sampler_.take();
      if (taken != Taken::pair && taken != Taken::pilot) return taken;
      timed += sampler_.pair().twice.wall + sampler_.pair().single.wall;
      if (taken == Taken::pair) turn_.push_back(sampler_.pair());
    }
    pairs.insert(pairs.end(), turn_.begin(), turn_.end());
    seconds = taker_.seconds(turn_);
    return Taken::pair;
  }

  std::vector<BatchPair> pairs;  // of all turns
  double seconds = 0;            // a call in the last turn

 private:
  /// The other side's code and data are in the caches of the core. Of long calls that is no part to speak of.
  bool warm_up() {
    if (seconds > kTurnShare * limits_.cap_seconds) return true;
    return taker_.keeper.prepare(1, /*cold=*/true) && taker_.caller.call(0, 1).has_value();
  }

  TurnTaker& taker_;
  const SamplingLimits& limits_;
  Sampler sampler_;
  std::vector<BatchPair> turn_;
};

}  // namespace

Turns take_turns(TurnTaker& candidate, TurnTaker& baseline, const SamplingLimits& limits, Random& random,
                 double (*now)()) {
  Turns turns;
  Side sides[2] = {{candidate, limits, random}, {baseline, limits, random}};
  const double begin = now(), limit = kElapsedShare * limits.elapsed_seconds;
  profiler::StoppingRule rule(
      {.floor_samples = kLeastTurns, .target_relative_error = limits.target_error, .cap_seconds = limit});
  const auto end = [&](SamplingEnd how) {
    turns.candidate = {how, std::move(sides[0].pairs)};
    turns.baseline = std::move(sides[1].pairs);
    return std::move(turns);
  };
  for (std::size_t round = 1;; ++round) {
    const double round_begin = now();
    for (const std::size_t who : {round % 2, 1 - round % 2}) {
      const auto taken = sides[who].turn();
      if (taken == Taken::pair) continue;
      turns.baseline_over = who == 1;
      return end(who == 1 ? SamplingEnd::capped : end_for(taken));
    }
    if (sides[0].seconds > 0 && sides[1].seconds > 0) {
      turns.candidate_seconds.push_back(sides[0].seconds);
      turns.baseline_seconds.push_back(sides[1].seconds);
      rule.add(sides[1].seconds / sides[0].seconds, now() - round_begin);
    }
    const double elapsed = now() - begin;
    const auto stop = rule.decide();
    if (stop == profiler::Stop::go_on && elapsed < limit) continue;
    if (round < kSomeTurns && elapsed < limits.patience_seconds) continue;
    return end(stop == profiler::Stop::precise || stop == profiler::Stop::steady ? SamplingEnd::enough
                                                                                 : SamplingEnd::capped);
  }
}

}  // namespace ridgeline::judge
