#include "engine/campaign/baseline_keeper.hpp"

namespace ridgeline::campaign {

void BaselineKeeper::hear(const Verdict& verdict, store::Milliseconds now) {
  if (!verdict.timing) return;
  if (compiled_ && verdict.speedup() > 0) compiled_->want(verdict.task, verdict.device);
  for (const auto& timed : verdict.timing->cases) {
    const auto& cold = timed.baseline_cold;
    if (cold.median <= 0) continue;
    auto& kept = kept_[{verdict.task, verdict.device, timed.case_name}];
    if (kept == cold.median) continue;
    kept = cold.median;
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
