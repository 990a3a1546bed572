#include "engine/worker/judge/profile/counters_ahead.hpp"

#include <utility>

namespace ridgeline::judge {

void CountersAhead::begin(RunnerKind kind, profiler::MetricSet set) {
  if (ready_ && ready_->serves(kind, set, rows_)) return;
  if (ready_) {
    give_up();
    runners_.wait_for_retired();  // its process holds the device's counters until it ends
  }
  ready_ = std::make_unique<DeviceCounters>(runners_, configs_, set, kind, rows_);
}

void CountersAhead::await_opening() {
  if (ready_) ready_->await_opening();
}

std::unique_ptr<DeviceCounters> CountersAhead::take(RunnerKind kind, profiler::MetricSet set) {
  begin(kind, set);
  await_opening();
  // Once only: a second failure is the machine's. The process before may still have held the device's
  // counters when this one asked for them: a second try comes after its end.
  if (!ready_->why_not().empty() || !ready_->alive()) {
    give_up();
    runners_.wait_for_retired();
    begin(kind, set);
    await_opening();
  }
  return std::exchange(ready_, nullptr);
}

}  // namespace ridgeline::judge
