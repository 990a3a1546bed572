// The baseline as a side that a sampler can call: eager LibTorch in the judge's own process, which allocates
// its outputs as eager LibTorch does; or a module's reference in a runner of its own, run as a candidate is,
// with its results copied as a candidate's are. One thread.
#pragma once

#include <optional>
#include <vector>

#include "engine/worker/judge/runners/runner_caller.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

/// Calls the task's reference in the judge's own process, on one thread.
class BaselineCaller : public BatchCaller {
 public:
  /// Both must outlive it.
  BaselineCaller(const PreparedTask& prepared, const PreparedCase& prepared_case)
      : prepared_(prepared), case_(prepared_case) {}
  std::optional<BatchTimes> call(std::size_t first, std::size_t count) override;

 private:
  const PreparedTask& prepared_;
  const PreparedCase& case_;
};

/// The caller, slots and clocks of one case's baseline. Uses the task's reference runner if there is one.
class BaselineSide {
 public:
  /// Has the reference runner map the case's timing arena, and warms it up. Both arguments must outlive this.
  /// Throws BadInput if the reference cannot be run as a candidate.
  BaselineSide(PreparedTask& prepared, PreparedCase& prepared_case);
  /// Drops the task's reference runner if it ended or refused an order, and keeps the reason in the task, so
  /// that the next candidate gets a fresh one.
  ~BaselineSide();
  BaselineSide(const BaselineSide&) = delete;  // it drops a runner once
  BaselineSide& operator=(const BaselineSide&) = delete;

  BatchCaller& caller() { return runner_ ? static_cast<BatchCaller&>(*runner_) : own_; }
  TimedSlots& slots() { return *slots_; }
  /// Returns the caller of the task's reference runner; null without one.
  RunnerCaller* runner_caller() { return runner_ ? &*runner_ : nullptr; }
  /// Weighs pairs that this side took.
  Evidence weigh(const std::vector<BatchPair>& pairs) const;
  /// Returns whether the device had other work before it answered the judge after a batch. The reference
  /// leaves none, so that is work which a paused candidate left there. False on a CPU.
  bool disturbed(const Evidence& evidence) const;

 private:
  void warm_up();

  PreparedTask& prepared_;
  const ClockModel& clocks_;
  BaselineCaller own_;
  std::optional<RunnerCaller> runner_;
  std::optional<TimedSlots> slots_;
};

}  // namespace ridgeline::judge
