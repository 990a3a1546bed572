#include "engine/worker/judge/sampling/interleaved_rounds.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ridgeline::judge {
namespace {

using Step = Sampler::Step;

constexpr double kPartShare = 1.0 / 6;  // of the cap: timed seconds of a side in a round; at least one pair
constexpr double kPartElapsedShare =
    0.25;                            // of the limit on elapsed time: the same with filling and inspecting
constexpr double kElapsedShare = 6;  // of the same limit: all rounds together
constexpr std::size_t kEnoughRounds = 9;  // with fewer, the interval of a median is the whole range
constexpr double kSettled = 1.03;         // the upper end of that interval over its lower end, without a goal
constexpr double kConfidence = 0.95;      // of that interval, for a goal
constexpr std::size_t kSomeRounds = 3;    // the least, unless calls take longer than the limits' patience
constexpr double kSlowed = 1.2;           // factor over the baseline's undisturbed time
constexpr double kNear = 1.05;            // the same factor for a round that counts as undisturbed

/// Runs the rounds of one side.
class RunningSide {
 public:
  RunningSide(RoundSide& side, const SamplingLimits& limits, Random& random, double (*now)())
      : side_(side), limits_(limits), now_(now), sampler_(side.caller, side.keeper, limits, random) {}

  Step take(SideSamples& samples) {
    const auto alone = side_.begin_part();
    if (const auto step = warm_up(); step != Step::pair) return step;
    const double begin = now_();
    const auto over = [&](double timed) {
      return timed >= kPartShare * limits_.cap_seconds ||
             now_() - begin >= kPartElapsedShare * limits_.elapsed_seconds;
    };
    std::vector<double> seconds;
    for (double timed = 0; samples.pairs.empty() || !over(timed);) {
      const auto step = sampler_.take();
      if (step != Step::pair && step != Step::pilot) return step;
      timed += sampler_.pair().longer.wall + sampler_.pair().shorter.wall;
      if (step == Step::pilot) continue;
      samples.pairs.push_back(sampler_.pair());
      if (!interrupted(sampler_.pair())) seconds.push_back(side_.seconds(sampler_.pair()));
    }
    // The mean, not the median: a few pairs of a round must not hide among the others.
    last_ = samples.seconds = mean(seconds);
    return Step::pair;
  }

 private:
  /// Runs one call that is not timed, since the caches of the core hold the other side's code and data. Long
  /// calls do not need it.
  Step warm_up() {
    if (last_ > kPartShare * limits_.cap_seconds) return Step::pair;
    if (!side_.keeper.prepare(1, /*cold=*/true) || !side_.caller.call(0, 1)) return Step::caller_over;
    return side_.keeper.inspect(0, 1) ? Step::pair : Step::slot_wrong;
  }

  RoundSide& side_;
  const SamplingLimits& limits_;
  double (*now_)();
  Sampler sampler_;
  double last_ = 0;  // seconds a call in the last round
};

bool all_interrupted(const SideSamples& samples) {
  return !samples.pairs.empty() && std::ranges::all_of(samples.pairs, interrupted);
}

/// Whether the median of the speed-ups is as precise as the goal asks, in units of the larger of 1 and
/// itself.
bool meets(double goal, const std::vector<double>& speedups) {
  if (!has_median_interval(speedups.size(), kConfidence)) return false;
  const auto interval = median_interval(speedups, kConfidence);
  return interval.high - interval.low <= 2 * goal * std::max(1.0, median(speedups));
}

bool settled(const std::vector<Round>& rounds, const SamplingLimits& limits) {
  auto ratios = quotients(rounds);
  if (limits.goal > 0) return meets(limits.goal, ratios);
  if (ratios.size() < kEnoughRounds) return false;
  const auto interval = median_interval(std::move(ratios));
  return interval.high <= kSettled * interval.low;
}

}  // namespace

InterleavedRounds run_interleaved_rounds(RoundSide& candidate, RoundSide& baseline,
                                         const SamplingLimits& limits, Random& random, double (*now)(),
                                         const std::function<void()>& slowed) {
  InterleavedRounds all;
  RunningSide ours(candidate, limits, random, now), theirs(baseline, limits, random, now);
  const double begin = now();
  for (;;) {
    Round round;
    const bool ours_first = all.rounds.size() % 2 == 1;
    for (const bool is_ours : {ours_first, !ours_first}) {
      const auto step = is_ours ? ours.take(round.candidate) : theirs.take(round.baseline);
      if (step == Step::pair) continue;
      all.baseline_over = !is_ours;
      all.end = is_ours ? end_for(step) : SamplingEnd::capped;
      return all;
    }
    all.rounds.push_back(std::move(round));
    if (settled(all.rounds, limits)) return all;
    const double elapsed = now() - begin;
    if (elapsed >= kElapsedShare * limits.elapsed_seconds &&
        (all.rounds.size() >= kSomeRounds || elapsed >= limits.patience_seconds)) {
      all.end = SamplingEnd::capped;
      return all;
    }
    const auto took = seconds_of(&Round::baseline, all.rounds);
    if (took.back() > kSlowed * undisturbed_seconds(took)) slowed();
  }
}

std::vector<double> quotients(const std::vector<Round>& rounds) {
  std::vector<double> ratios;
  for (const auto& round : rounds)
    if (round.candidate.seconds > 0 && round.baseline.seconds > 0)
      ratios.push_back(round.baseline.seconds / round.candidate.seconds);
  return ratios;
}

std::vector<std::size_t> better_half(const std::vector<Round>& rounds) {
  const double middle = median(quotients(rounds));
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < rounds.size(); ++i)
    if (rounds[i].baseline.seconds >= middle * rounds[i].candidate.seconds) numbers.push_back(i);
  return numbers;
}

std::vector<Round> select_rounds(const std::vector<Round>& rounds, const std::vector<std::size_t>& which) {
  std::vector<Round> selected;
  for (const std::size_t i : which) selected.push_back(rounds[i]);
  return selected;
}

double undisturbed_seconds(std::vector<double> seconds) {
  std::erase(seconds, 0);
  std::ranges::sort(seconds);
  return seconds.empty() ? 0 : seconds[std::min((seconds.size() + 1) / 2, kSomeRounds) - 1];
}

double speedup_when_undisturbed(const std::vector<Round>& rounds) {
  const double level = undisturbed_seconds(seconds_of(&Round::baseline, rounds));
  std::vector<Round> near;
  std::ranges::copy_if(rounds, std::back_inserter(near),
                       [&](const auto& round) { return round.baseline.seconds <= kNear * level; });
  return median(quotients(near));
}

bool took_no_time(const std::vector<Round>& rounds) {
  return rounds.size() >= kSomeRounds && std::ranges::all_of(rounds, [](const auto& round) {
           return round.candidate.seconds == 0 && round.baseline.seconds > 0 &&
                  !all_interrupted(round.candidate);
         });
}

std::vector<BatchPair> pairs_of(SideOfRound side, const std::vector<Round>& rounds) {
  std::vector<BatchPair> pairs;
  for (const auto& round : rounds)
    pairs.insert(pairs.end(), (round.*side).pairs.begin(), (round.*side).pairs.end());
  return pairs;
}

std::vector<double> seconds_of(SideOfRound side, const std::vector<Round>& rounds) {
  std::vector<double> seconds;
  for (const auto& round : rounds) seconds.push_back((round.*side).seconds);
  return seconds;
}

}  // namespace ridgeline::judge
