// Times a candidate and its baseline in interleaved A/B rounds. This is for modules, whose calls wait for
// the host in hundreds of launches.
//
// Other work slows a host for tens to hundreds of milliseconds at a time, up to twofold (measured:
// docs/measurements.md), and in a short round it slows both sides. So the speed-up is the median over rounds
// of the baseline's time over the candidate's: the state of the host cancels in a quotient, and the few
// rounds in which it changed are outliers on either side (docs/decisions/module-turns.md). For sides that a
// host does not slow alike, the quotient is what such hosts make of them.
//
// The ports are those of `sample`.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

/// A side of the rounds: the candidate or the baseline.
struct RoundSide {
  BatchCaller& caller;
  SlotKeeper& keeper;
  /// Returns seconds a call, from both whole windows of a pair.
  std::function<double(const BatchPair&)> seconds;
  /// Called before the side's part of each round. What it returns lives until the part ends: the baseline's
  /// pauses the candidate for so long; the candidate's only counts the round, and returns null.
  std::function<std::shared_ptr<void>()> begin_part = [] { return nullptr; };
};

/// Keeps the pairs that one side measured in one round, and the time of a call that follows from them.
struct SideSamples {
  std::vector<BatchPair> pairs;
  /// A call, over the pairs that were not interrupted; 0 without such a pair, or if their windows were no
  /// longer than empty ones.
  double seconds = 0;
};

/// One round.
struct Round {
  SideSamples candidate, baseline;
};

/// Selects a side: &Round::candidate or &Round::baseline.
using SideOfRound = SideSamples Round::*;

/// All rounds of a measurement.
struct InterleavedRounds {
  SamplingEnd end = SamplingEnd::enough;  ///< `caller_over` and `slot_wrong` refer to the candidate only
  /// The baseline's caller ended, or a slot of it was wrong; the rounds end with it, and `end` is `capped`.
  bool baseline_over = false;
  std::vector<Round> rounds;
};

/// Measures rounds, each side first in every other round, until the median of the quotients is precise enough
/// (limits.goal, or else within 3 % after nine rounds), or time is over (`capped`): all rounds may last six
/// times limits.elapsed_seconds, and three are made in any case unless patience_seconds are over. A side's
/// part of a round ends after a sixth of cap_seconds or a quarter of elapsed_seconds, with one pair at least.
/// Calls `slowed` after a round in which the baseline took over 1.2 times its undisturbed time; it may change
/// where the rounds run.
InterleavedRounds run_interleaved_rounds(RoundSide& candidate, RoundSide& baseline,
                                         const SamplingLimits& limits, Random& random, double (*now)(),
                                         const std::function<void()>& slowed);

/// The baseline's time over the candidate's, for each round in which both took time.
std::vector<double> quotients(const std::vector<Round>& rounds);

/// The rounds that are no worse for the candidate than the median. A candidate that cheats gains in these,
/// so they are weighed by themselves, and the calls to be compared are drawn from them.
std::vector<std::size_t> better_half(const std::vector<Round>& rounds);
/// The rounds with these numbers.
std::vector<Round> select_rounds(const std::vector<Round>& rounds, const std::vector<std::size_t>& which);

/// The time of a side's undisturbed rounds: the third smallest, or the lower median of fewer than five; 0 if
/// none took time. For the baseline, a candidate cannot influence it.
double undisturbed_seconds(std::vector<double> seconds);

/// The median of the quotients of rounds in which the baseline was near its undisturbed time; 0 if there is
/// none. It is far from the median over all rounds if the host slows one side only.
double speedup_when_undisturbed(const std::vector<Round>& rounds);

/// Whether in all rounds, and at least three, the candidate's windows were no longer than empty ones while
/// the baseline's were.
bool took_no_time(const std::vector<Round>& rounds);

/// All pairs of a side.
std::vector<BatchPair> pairs_of(SideOfRound side, const std::vector<Round>& rounds);
/// The seconds a call of a side, round by round.
std::vector<double> seconds_of(SideOfRound side, const std::vector<Round>& rounds);

}  // namespace ridgeline::judge
