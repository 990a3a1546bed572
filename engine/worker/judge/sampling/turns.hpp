// A candidate and its baseline timed in turns, for modules, whose calls wait for the host in hundreds of
// launches. What else a host does slows it for tens to hundreds of milliseconds at a time, up to twofold
// (measured: docs/measurements/2026-11-22-h200-ninth-run.md), and both sides of a round alike, if turns are
// short. So the speed-up is the median over rounds of the baseline's time over the candidate's: whatever
// state the host is in, it falls out of a quotient, and the few rounds in which it changed are outliers on
// either side (docs/decisions/gpu-timing.md). Every round counts, so every call is weighed and may be
// compared.
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
  double seconds = 0;  ///< a call: the median of the pairs'; 0 where windows were no longer than empty ones
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

/// Seconds a call of both sides in each round in which both took some.
struct Levelled {
  std::vector<double> candidate, baseline;
};

/// What the host did to both sides alike taken out: each round's times are divided by how much longer than in
/// quick rounds its two sides were together (the square root of their product, over its third least). The
/// quotient of a round stays what it was, and so the quotient of both medians is the median of the quotients,
/// and ends of intervals likewise.
Levelled levelled(const std::vector<Round>& rounds);

/// In none of some rounds did the candidate's windows last longer than empty ones, and the baseline's did.
bool took_no_time(const std::vector<Round>& rounds);

std::vector<BatchPair> pairs_of(SideOfRound side, const std::vector<Round>& rounds);
std::vector<double> seconds_of(SideOfRound side, const std::vector<Round>& rounds);

}  // namespace ridgeline::judge
