// A candidate and its baseline timed in turns, for modules, whose calls wait for the host in hundreds of
// launches. What else a host does slows it for tens to hundreds of milliseconds at a time, up to twofold, and
// never makes it quicker (measured: docs/measurements/2026-11-22-h200-ninth-run.md). So turns are short, go
// on until enough of each side's are near its least, and the others are set aside.
//
// What it needs of the world stands behind ports, as for `sample`.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/batch_evidence.hpp"
#include "engine/worker/judge/sampler.hpp"

namespace ridgeline::judge {

/// One who takes turns.
struct TurnTaker {
  BatchCaller& caller;
  SlotKeeper& keeper;
  Overhead overhead;
  /// Sees to it that nobody else does anything, for as long as what it returns is kept.
  std::function<std::shared_ptr<void>()> begin = [] { return nullptr; };
};

struct Turn {
  std::vector<BatchPair> pairs;
  double seconds = 0;  ///< a call: the median of the pairs' quotients (batch_evidence.hpp)
};

struct Turns {
  SamplingEnd end = SamplingEnd::enough;  ///< `caller_over` and `slot_wrong` are said of the candidate alone
  bool baseline_over = false;             ///< the baseline's caller ended, and with it the turns
  std::vector<Turn> candidate, baseline;
};

/// Takes turns, each side first in every other round, until each has enough that nothing slowed. `disturbed`
/// is called after a round that something did slow: it may change where turns are taken.
Turns take_turns(TurnTaker& candidate, TurnTaker& baseline, const SamplingLimits& limits, Random& random,
                 double (*now)(), const std::function<void()>& disturbed);

/// Those that nothing slowed: near the least of them. They alone count, so they alone are to be weighed: what
/// a kernel did in few turns must not hide behind the many that are left out.
std::vector<Turn> undisturbed(const std::vector<Turn>& turns);
std::vector<BatchPair> pairs_of(const std::vector<Turn>& turns);
std::vector<double> seconds_of(const std::vector<Turn>& turns);

}  // namespace ridgeline::judge
