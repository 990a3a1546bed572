// A candidate and its baseline timed in turns, for modules, whose calls wait for the host in hundreds of
// launches. What else a host does slows it for tens to hundreds of milliseconds at a time, up to twofold
// (measured: docs/measurements.md), and where turns are short, both sides of a
// round. So the speed-up is the median over rounds of the baseline's time over the candidate's: the state of
// the host falls out of a quotient, and the few rounds in which it changed are outliers on either side
// (docs/decisions/module-turns.md). Of sides that a host does not slow alike the quotient is what such hosts
// make of them.
//
// What it needs of the world stands behind ports, as for `sample`.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

/// One who takes turns.
struct TurnTaker {
  BatchCaller& caller;
  SlotKeeper& keeper;
  /// Seconds a call, by the whole of both windows.
  std::function<double(const BatchPair&)> seconds;
  /// Sees to it that nobody else does anything, for as long as what it returns is kept.
  std::function<std::shared_ptr<void>()> begin = [] { return nullptr; };
};

struct Turn {
  std::vector<BatchPair> pairs;
  double seconds = 0;  ///< a call, over all pairs; 0 where windows were no longer than empty ones
};

struct Round {
  Turn candidate, baseline;
};

using SideOfRound = Turn Round::*;

struct Turns {
  SamplingEnd end = SamplingEnd::enough;  ///< `caller_over` and `slot_wrong` are said of the candidate alone
  bool baseline_over = false;             ///< the baseline's caller ended, and with it the turns
  std::vector<Round> rounds;
};

/// Takes turns, each side first in every other round, until the median of the rounds' quotients is known well
/// enough. `slowed` is called after a round that the host made longer than others: it may change where turns
/// are taken.
Turns take_turns(TurnTaker& candidate, TurnTaker& baseline, const SamplingLimits& limits, Random& random,
                 double (*now)(), const std::function<void()>& slowed);

/// Of each round in which both sides took time: the baseline's over the candidate's.
std::vector<double> quotients(const std::vector<Round>& rounds);

/// The rounds that are no worse for the candidate than the median: what it gains, it gains there, so they are
/// weighed by themselves, and calls to be compared are drawn from them.
std::vector<std::size_t> better_half(const std::vector<Round>& rounds);
std::vector<Round> chosen(const std::vector<Round>& rounds, const std::vector<std::size_t>& which);

/// What turns of a side took where nothing slowed them: the third least, of fewer than five the lower median.
/// 0 where none took time. Of the baseline alone it is beyond a candidate's reach.
double quick(std::vector<double> seconds);

/// Of rounds in which the baseline was near its quick turns, the median of the quotients: far from that of
/// all where the host slows one side and not the other. 0 where there is none.
double speedup_where_quick(const std::vector<Round>& rounds);

/// In none of some rounds did the candidate's windows last longer than empty ones, and the baseline's did.
bool took_no_time(const std::vector<Round>& rounds);

std::vector<BatchPair> pairs_of(SideOfRound side, const std::vector<Round>& rounds);
std::vector<double> seconds_of(SideOfRound side, const std::vector<Round>& rounds);

}  // namespace ridgeline::judge
