#include "engine/campaign/baseline_keeper.hpp"

namespace ridgeline::campaign {

void BaselineKeeper::record_from(const Verdict& verdict, store::Milliseconds now) {
  if (!verdict.timing) return;
  // A compiled baseline costs minutes: it is measured only for tasks that have a speed-up to hold against it.
  if (compiled_ && verdict.speedup() > 0) compiled_->want(verdict.task, verdict.device);
  for (const auto& timed : verdict.timing->cases) {
    const auto& cold = timed.baseline_cold;
    if (cold.median <= 0) continue;  // a case whose baseline could not be timed
    // A judge measures a baseline once and repeats it in every verdict; only another median is news.
    auto& recorded = recorded_seconds_[{verdict.task, verdict.device, timed.case_name}];
    if (recorded == cold.median) continue;
    recorded = cold.median;
    writer_.record(store::BaselineRecord{.task_hash = verdict.task,
                                         .device = verdict.device,
                                         .kind = store::BaselineKind::eager,
                                         .case_name = timed.case_name,
                                         .description = verdict.timing->baseline,
                                         .cold = cold,
                                         .measured_at = now},
                   {});
  }
}

}  // namespace ridgeline::campaign
