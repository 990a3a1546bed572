#include "engine/worker/judge/timing/sampled_case.hpp"

#include <fmt/format.h>

#include "engine/worker/judge/timing/baseline.hpp"

namespace ridgeline::judge {

TimeDecision decide(const SampledCase& sampled, const PhysicsCheck& physics) {
  if (sampled.candidate_ran_while_paused) return RanWhilePaused{};
  const bool disputed = sampled.confirmed.evidence.dispute != Dispute::none;
  // Batches as short as empty ones, and played-with clocks, leave no quotient either. They are the
  // candidate's fault and must not pass as the judge's.
  if (!sampled.has_baseline && !disputed && !sampled.below_timer_resolution) return NoBaseline{};
  if (disputed) return ClocksDisagree{};
  if (const auto* below = std::get_if<BelowFloor>(&physics)) return *below;
  if (const auto* excess = std::get_if<AbovePeak>(&physics)) return TimeCounts{*excess};
  return TimeCounts{};
}

bool may_keep_baseline(const SampledCase& sampled) {
  return !sampled.candidate_ran_while_paused && sampled.confirmed.evidence.dispute == Dispute::none;
}

void add_remarks(SampledCase& sampled, const std::string& throttle_note, double drift) {
  auto& remarks = sampled.remarks;
  if (sampled.confirmed.at_first != Dispute::none)
    remarks.push_back(fmt::format("timed again, since the clocks disagreed at first ({})",
                                  to_string(sampled.confirmed.at_first)));
  if (!throttle_note.empty()) remarks.push_back(throttle_note);
  if (sampled.calls_overlap)
    remarks.push_back(
        "its calls overlap on the device if they are queued, so that they were timed one after the other");
  if (sampled.timed_alone)
    remarks.push_back(
        "its calls took longer alone than in batches, as if one did the work of others, so that they were "
        "timed alone");
  if (!sampled.not_sealed.empty())
    remarks.push_back("its inputs could not be sealed, so that windows of one call took the place of that: " +
                      sampled.not_sealed);
  if (drift > most_drift)
    remarks.push_back(
        fmt::format("the baseline took {:.2f} times as long as when it was measured, and that stands: a "
                    "busy host slows its launches",
                    drift));
}

}  // namespace ridgeline::judge
