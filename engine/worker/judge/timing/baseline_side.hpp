// The baseline as something that is sampled: eager LibTorch in the judge's own process, which allocates its
// own outputs as eager LibTorch does; or, of a module, its reference in a runner of its own, run as a
// candidate is, its results copied as a candidate's are.
#pragma once

#include <optional>
#include <vector>

#include "engine/worker/judge/runners/runner_caller.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"
#include "engine/worker/judge/timing/timed_slots.hpp"

namespace ridgeline::judge {

/// In the judge's own process, one thread.
class BaselineCaller : public BatchCaller {
 public:
  BaselineCaller(const PreparedTask& prepared, const PreparedCase& one) : prepared_(prepared), case_(one) {}
  std::optional<BatchTimes> call(std::size_t first, std::size_t count) override;

 private:
  const PreparedTask& prepared_;
  const PreparedCase& case_;
};

class BaselineSide {
 public:
  /// Maps the case's timing arena where a runner holds the reference, and warms that up. Throws BadInput
  /// where it cannot be run.
  BaselineSide(PreparedTask& prepared, PreparedCase& one);
  /// A runner that is over is none for the next candidate.
  ~BaselineSide();
  BaselineSide(const BaselineSide&) = delete;  // it ends a runner once
  BaselineSide& operator=(const BaselineSide&) = delete;

  BatchCaller& caller() { return runner_ ? static_cast<BatchCaller&>(*runner_) : own_; }
  SlotKeeper& slots() { return *slots_; }
  Evidence weigh(const std::vector<BatchPair>& pairs) const;
  /// The device had other work before it answered the judge when a batch was over: not the reference's, which
  /// nobody suspects, but what a candidate that is paused has left there.
  bool disturbed(const Evidence& evidence) const;

 private:
  void warm_up();

  PreparedTask& prepared_;
  BaselineCaller own_;
  std::optional<RunnerCaller> runner_;
  std::optional<TimedSlots> slots_;
};

}  // namespace ridgeline::judge
