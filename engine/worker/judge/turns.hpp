// A candidate and its baseline timed in turns: what slows a machine for seconds meets both, and falls out of the
// quotient of the two times of a turn. For modules, whose calls wait for the host in hundreds of launches.
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
  /// Seconds a call, of the pairs of a turn; 0 where they tell nothing.
  std::function<double(const std::vector<BatchPair>&)> seconds;
  /// Sees to it that nobody else does anything, for as long as what it returns is kept.
  std::function<std::shared_ptr<void>()> begin = [] { return nullptr; };
};

struct Turns {
  /// `pairs`: the candidate's. `caller_over` and `slot_wrong` are said of the candidate alone.
  Sampling candidate;
  std::vector<BatchPair> baseline;
  bool baseline_over = false;  ///< the baseline's caller ended, and with it the turns
  /// Seconds a call, the i-th of each from the same turn. As many of both.
  std::vector<double> candidate_seconds, baseline_seconds;
};

/// Takes turns, each side first in every other one, until the quotients of their times tell enough.
Turns take_turns(TurnTaker& candidate, TurnTaker& baseline, const SamplingLimits& limits, Random& random,
                 double (*now)());

}  // namespace ridgeline::judge
