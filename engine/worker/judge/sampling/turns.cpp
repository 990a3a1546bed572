#include "engine/worker/judge/sampling/turns.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ridgeline::judge {
namespace {

using Taken = Sampler::Taken;

constexpr double kTurnShare = 1.0 / 6;      // of the cap: timed seconds of a turn; one pair at least
constexpr double kTurnElapsedShare = 0.25;  // of the limit on all that sampling one side takes: the same
constexpr double kElapsedShare = 6;         // of that limit: all rounds together
constexpr std::size_t kEnoughRounds = 9;    // of fewer the interval of a median is the range
constexpr double kSettled = 1.03;           // the end of that interval over its begin
constexpr std::size_t kSomeRounds = 3;      // that long calls take too, within the limits' patience
constexpr double kSlowed = 1.2;             // times what quick turns of the baseline take
constexpr double kNear = 1.05;              // the same

/// A side, and how it takes its turns.
class Side {
 public:
  Side(TurnTaker& taker, const SamplingLimits& limits, Random& random, double (*now)())
      : taker_(taker), limits_(limits), now_(now), sampler_(taker.caller, taker.keeper, limits, random) {}

  Taken take(Turn& turn) {
    const auto alone = taker_.begin();
    if (const auto taken = warm_up(); taken != Taken::pair) return taken;
    const double begin = now_();
    const auto over = [&](double timed) {
      return timed >= kTurnShare * limits_.cap_seconds ||
             now_() - begin >= kTurnElapsedShare * limits_.elapsed_seconds;
    };
    std::vector<double> seconds;
    for (double timed = 0; turn.pairs.empty() || !over(timed);) {
      const auto taken = sampler_.take();
      if (taken != Taken::pair && taken != Taken::pilot) return taken;
      timed += sampler_.pair().twice.wall + sampler_.pair().single.wall;
      if (taken == Taken::pilot) continue;
      turn.pairs.push_back(sampler_.pair());
      seconds.push_back(taker_.seconds(sampler_.pair()));
    }
    // Not their median: a few pairs of a turn must not hide among the others.
    last_ = turn.seconds = mean(seconds);
    return Taken::pair;
  }

 private:
  /// The other side's code and data are in the caches of the core. Of long calls that is no part to speak of.
  Taken warm_up() {
    if (last_ > kTurnShare * limits_.cap_seconds) return Taken::pair;
    if (!taker_.keeper.prepare(1, /*cold=*/true) || !taker_.caller.call(0, 1)) return Taken::caller_over;
    return taker_.keeper.inspect(0, 1) ? Taken::pair : Taken::slot_wrong;
  }

  TurnTaker& taker_;
  const SamplingLimits& limits_;
  double (*now_)();
  Sampler sampler_;
  double last_ = 0;  // seconds a call in the last turn
};

bool settled(const std::vector<Round>& rounds) {
  auto found = quotients(rounds);
  if (found.size() < kEnoughRounds) return false;
  const auto interval = median_interval(std::move(found));
  return interval.high <= kSettled * interval.low;
}

}  // namespace

Turns take_turns(TurnTaker& candidate, TurnTaker& baseline, const SamplingLimits& limits, Random& random,
                 double (*now)(), const std::function<void()>& slowed) {
  Turns turns;
  Side ours(candidate, limits, random, now), theirs(baseline, limits, random, now);
  const double begin = now();
  for (;;) {
    Round round;
    const bool ours_first = turns.rounds.size() % 2 == 1;
    for (const bool is_ours : {ours_first, !ours_first}) {
      const auto taken = is_ours ? ours.take(round.candidate) : theirs.take(round.baseline);
      if (taken == Taken::pair) continue;
      turns.baseline_over = !is_ours;
      turns.end = is_ours ? end_for(taken) : SamplingEnd::capped;
      return turns;
    }
    turns.rounds.push_back(std::move(round));
    if (settled(turns.rounds)) return turns;
    const double elapsed = now() - begin;
    if (elapsed >= kElapsedShare * limits.elapsed_seconds &&
        (turns.rounds.size() >= kSomeRounds || elapsed >= limits.patience_seconds)) {
      turns.end = SamplingEnd::capped;
      return turns;
    }
    const auto took = seconds_of(&Round::baseline, turns.rounds);
    if (took.back() > kSlowed * quick(took)) slowed();
  }
}

std::vector<double> quotients(const std::vector<Round>& rounds) {
  std::vector<double> found;
  for (const auto& one : rounds)
    if (one.candidate.seconds > 0 && one.baseline.seconds > 0)
      found.push_back(one.baseline.seconds / one.candidate.seconds);
  return found;
}

std::vector<std::size_t> better_half(const std::vector<Round>& rounds) {
  const double middle = median(quotients(rounds));
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < rounds.size(); ++i)
    if (rounds[i].baseline.seconds >= middle * rounds[i].candidate.seconds) found.push_back(i);
  return found;
}

std::vector<Round> chosen(const std::vector<Round>& rounds, const std::vector<std::size_t>& which) {
  std::vector<Round> found;
  for (const std::size_t i : which) found.push_back(rounds[i]);
  return found;
}

double quick(std::vector<double> seconds) {
  std::erase(seconds, 0);
  std::ranges::sort(seconds);
  return seconds.empty() ? 0 : seconds[std::min((seconds.size() + 1) / 2, kSomeRounds) - 1];
}

double speedup_where_quick(const std::vector<Round>& rounds) {
  const double level = quick(seconds_of(&Round::baseline, rounds));
  std::vector<Round> near;
  std::ranges::copy_if(rounds, std::back_inserter(near),
                       [&](const auto& one) { return one.baseline.seconds <= kNear * level; });
  return median(quotients(near));
}

bool took_no_time(const std::vector<Round>& rounds) {
  return rounds.size() >= kSomeRounds && std::ranges::all_of(rounds, [](const auto& one) {
           return one.candidate.seconds == 0 && one.baseline.seconds > 0;
         });
}

std::vector<BatchPair> pairs_of(SideOfRound side, const std::vector<Round>& rounds) {
  std::vector<BatchPair> pairs;
  for (const auto& one : rounds)
    pairs.insert(pairs.end(), (one.*side).pairs.begin(), (one.*side).pairs.end());
  return pairs;
}

std::vector<double> seconds_of(SideOfRound side, const std::vector<Round>& rounds) {
  std::vector<double> seconds;
  for (const auto& one : rounds) seconds.push_back((one.*side).seconds);
  return seconds;
}

}  // namespace ridgeline::judge
