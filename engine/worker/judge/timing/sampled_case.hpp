// Decides whether the time that sampling gave for a case counts. Plain data: no clock, no process, no
// verdict.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/worker/judge/sampling/confirmed.hpp"
#include "engine/worker/judge/timing/physics_check.hpp"

namespace ridgeline::judge {

/// Holds what sampling of one case gave, beside the times in its CaseTiming.
struct SampledCase {
  ConfirmedSamples confirmed;
  bool has_baseline = true;
  bool candidate_ran_while_paused = false;
  bool below_timer_resolution = false;  ///< while the baseline's windows were longer than empty ones
  double seconds = 0;                   ///< a call, by the candidate's own windows
  bool calls_overlap = false;           ///< when they are queued; they were timed one by one
  /// Calls took longer alone than in batches (sampling/lone_calls.hpp): they were timed alone then, or, in
  /// rounds, are only doubted.
  bool timed_alone = false, helped_by_others = false;
  std::string
      not_sealed;  ///< why its inputs could not be sealed (decisions/sealed-inputs.md); "" if they were
  std::vector<std::string> remarks;  ///< for people
};

/// The time counts.
struct TimeCounts {
  std::optional<AbovePeak> flagged;
};
/// The candidate computed while it was paused, which slowed its baseline.
struct RanWhilePaused {};
/// There is no baseline, for no fault of the candidate's.
struct NoBaseline {};
/// The clocks contradict each other.
struct ClocksDisagree {};
/// A time or the reason why it does not count; the first of several reasons, in the order of the types after
/// TimeCounts.
using TimeDecision = std::variant<TimeCounts, RanWhilePaused, NoBaseline, ClocksDisagree, BelowFloor>;

/// Decides. `physics` is the check of `sampled.seconds`.
TimeDecision decide(const SampledCase& sampled, const PhysicsCheck& physics);

/// Returns whether later candidates may be compared with the baseline that was measured beside this one. A
/// candidate that ran while it was paused slowed it, and one whose clocks contradict each other may have.
bool may_keep_baseline(const SampledCase& sampled);

/// Adds to `sampled.remarks` what was unusual beside the samples. `throttle_note`: the device's, or "".
/// `drift`: the baseline's time now over the kept one, if that stands although it is above most_drift; else
/// 1.
void add_remarks(SampledCase& sampled, const std::string& throttle_note, double drift);

}  // namespace ridgeline::judge
