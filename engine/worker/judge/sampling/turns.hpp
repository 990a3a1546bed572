// A candidate and its baseline timed in turns, for modules, whose calls wait for the host in hundreds of
// launches. What else a host does slows it for tens to hundreds of milliseconds at a time, up to twofold, and
// never makes it quicker (measured: docs/measurements/2026-11-22-h200-ninth-run.md). So turns are short, go
// on until enough rounds are near the lowest of both sides, and the other rounds are set aside.
//
// What it needs of the world stands behind ports, as for `sample`.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

struct Round;

/// One who takes turns.
struct TurnTaker {
  BatchCaller& caller;
  SlotKeeper& keeper;
  /// Seconds a call, by the whole of both windows.
  std::function<double(const BatchPair&)> seconds;
  /// Given the rounds so far. Sees to it that nobody else does anything, for as long as what it returns is
  /// kept.
  std::function<std::shared_ptr<void>(const std::vector<Round>&)> begin = [](const auto&) { return nullptr; };
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

/// Takes turns, each side first in every other round, until enough rounds are such as nothing slowed.
/// `slowed` is called after one that something did slow: it may change where turns are taken.
Turns take_turns(TurnTaker& candidate, TurnTaker& baseline, const SamplingLimits& limits, Random& random,
                 double (*now)(), const std::function<void()>& slowed);

/// The rounds in which both sides took near the third least of theirs; where there is none, the one that
/// comes nearest. (The least itself could be one that a candidate prepared.) They alone count, so they alone
/// are to be weighed: what a kernel did in few turns must not hide behind the many that are left out.
std::vector<std::size_t> undisturbed_at(const std::vector<Round>& rounds);
std::vector<Round> undisturbed(const std::vector<Round>& rounds);

/// In none of some rounds did the candidate's windows last longer than empty ones, and the baseline's did.
bool took_no_time(const std::vector<Round>& rounds);

std::vector<BatchPair> pairs_of(SideOfRound side, const std::vector<Round>& rounds);
std::vector<double> seconds_of(SideOfRound side, const std::vector<Round>& rounds);

}  // namespace ridgeline::judge
