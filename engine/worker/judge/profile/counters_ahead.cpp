#include "engine/worker/judge/profile/counters_ahead.hpp"

#include <utility>

namespace ridgeline::judge {

void CountersAhead::begin(RunnerKind kind, profiler::MetricSet set) {
  if (ready_ && ready_->serves(kind, set)) return;
  if (ready_) {
    drop();
    runners_.await_ends();
  }
  ready_ = std::make_unique<DeviceCounters>(runners_, configs_, set, kind);
}

void CountersAhead::settle() {
  if (ready_) ready_->await_opening();
}

std::unique_ptr<DeviceCounters> CountersAhead::take(RunnerKind kind, profiler::MetricSet set) {
  begin(kind, set);
  settle();
  if (!ready_->why_not().empty() ||
      !ready_->alive()) {  // the last one may still have held the device's counters
    drop();
    runners_.await_ends();
    begin(kind, set);
    settle();
  }
  return std::exchange(ready_, nullptr);
}

}  // namespace ridgeline::judge
