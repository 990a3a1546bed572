#include "engine/worker/judge/sampling/turns.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ridgeline::judge {
namespace {

using Taken = Sampler::Taken;

constexpr double kTurnShare = 0.5;  // of the cap: timed seconds a side takes in its turn; one pair at least
constexpr double kTurnElapsedShare = 0.5;  // of the limit on all that sampling one side takes: the same
constexpr double kElapsedShare = 6;        // of that limit: all rounds together
constexpr double kNear = 1.05;             // times the least
constexpr std::size_t kEnoughRounds = 4;
constexpr std::size_t kSomeRounds = 3;  // that long calls take too, within the limits' patience

/// A side, and how it takes its turns.
class Side {
 public:
  Side(TurnTaker& taker, const SamplingLimits& limits, Random& random, double (*now)())
      : taker_(taker), limits_(limits), now_(now), sampler_(taker.caller, taker.keeper, limits, random) {}

  Taken take(Turn& turn, const std::vector<Round>& so_far) {
    const auto alone = taker_.begin(so_far);
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
    last_ = turn.seconds = median(seconds);
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

/// The third least of a side, of fewer than five rounds the lower median: what a candidate does in one round
/// or two sets no level, nor does the one of three that something slowed. 0 where none took time.
double level_of(SideOfRound side, const std::vector<Round>& rounds) {
  std::vector<double> took;
  for (const auto& one : rounds)
    if ((one.*side).seconds > 0) took.push_back((one.*side).seconds);
  std::ranges::sort(took);
  return took.empty() ? 0 : took[std::min((took.size() + 1) / 2, kSomeRounds) - 1];
}

/// By how much the odder side of each round is away from its level; turns of no time tell nothing.
std::vector<double> excesses(const std::vector<Round>& rounds) {
  const double ours = level_of(&Round::candidate, rounds), theirs = level_of(&Round::baseline, rounds);
  const auto away = [](double seconds, double level) {
    return seconds > 0 ? std::max(seconds / level, level / seconds) : std::numeric_limits<double>::infinity();
  };
  std::vector<double> found;
  for (const auto& one : rounds)
    found.push_back(std::max(away(one.candidate.seconds, ours), away(one.baseline.seconds, theirs)));
  return found;
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
      const auto taken =
          is_ours ? ours.take(round.candidate, turns.rounds) : theirs.take(round.baseline, turns.rounds);
      if (taken == Taken::pair) continue;
      turns.baseline_over = !is_ours;
      turns.end = is_ours ? end_for(taken) : SamplingEnd::capped;
      return turns;
    }
    turns.rounds.push_back(std::move(round));
    const auto excess = excesses(turns.rounds);
    const auto near = std::count_if(excess.begin(), excess.end(), [](double one) { return one <= kNear; });
    if (static_cast<std::size_t>(near) >= kEnoughRounds) return turns;
    const double elapsed = now() - begin;
    if (elapsed >= kElapsedShare * limits.elapsed_seconds &&
        (turns.rounds.size() >= kSomeRounds || elapsed >= limits.patience_seconds)) {
      turns.end = SamplingEnd::capped;
      return turns;
    }
    if (excess.back() > kNear) slowed();
  }
}

std::vector<std::size_t> undisturbed_at(const std::vector<Round>& rounds) {
  const auto excess = excesses(rounds);
  std::vector<std::size_t> near;
  if (rounds.empty()) return near;
  const double most = std::max(kNear, *std::min_element(excess.begin(), excess.end()));
  for (std::size_t i = 0; i < rounds.size(); ++i)
    if (excess[i] <= most && excess[i] < std::numeric_limits<double>::infinity()) near.push_back(i);
  return near;
}

std::vector<Round> undisturbed(const std::vector<Round>& rounds) {
  std::vector<Round> near;
  for (const std::size_t i : undisturbed_at(rounds)) near.push_back(rounds[i]);
  return near;
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
