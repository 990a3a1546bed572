// The slots that a timing runs over: filled with inputs never used before, put out of the caches, looked at
// after each batch, and remembered at random for a full comparison afterwards. One thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/sampling/reservoir.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// A timed call to be compared later: which inputs, and a private copy of what it left.
struct TimedCall {
  Instance instance;
  std::vector<at::Tensor> outputs;
  std::size_t turn = 0;  ///< in which it was made, where there are turns
};

/// What was seen in a slot that no honest kernel leaves.
struct SlotFault {
  Reason reason = Reason::wrong_when_timed;
  std::string detail;
};

class TimedSlots : public SlotKeeper {
 public:
  /// `runner` is told of every move of the buffers; null for the baseline, whose outputs are its own and are
  /// not looked at. The case's timing arena must be there, and mapped by the runner.
  TimedSlots(PreparedTask& prepared, PreparedCase& one, RunnerProcess* runner);

  std::size_t slots() const override { return arena_.slots(); }
  bool prepare(std::size_t count, bool cold) override;
  bool prepare_rounds(const HotPlan& plan) override;
  bool inspect(std::size_t first, std::size_t count, std::size_t ahead = 0) override;
  double settle() override { return runner_ ? prepared_.backend().settle() : 0; }
  double clock() override { return prepared_.backend().clock(); }

  const std::optional<SlotFault>& fault() const { return fault_; }
  /// How the runner ended while it was told where the buffers lie, if it did.
  const std::optional<RunnerAnswer>& refused() const { return refused_; }
  /// Why the calls were not replayed as graphs, if that was planned.
  const std::string& not_replayed() const { return not_replayed_; }
  std::vector<TimedCall>& remembered() { return remembered_; }
  void forget();
  /// What is timed from here on is of the next turn; they count from 0.
  void begin_turn() { ++turns_; }
  /// Forgets calls of other turns, but for some where there are few.
  void keep_turns(const std::vector<std::size_t>& turns);

 private:
  bool refill(std::size_t count, const Rounds& rounds);
  void remember(std::size_t slot, std::vector<at::Tensor> outputs, std::size_t place);

  PreparedTask& prepared_;
  PreparedCase& case_;
  Arena& arena_;
  RunnerProcess* runner_;
  std::vector<Instance> instances_;  // of each slot
  Reservoir sample_;
  std::size_t turns_ = 0;              // begun
  std::vector<TimedCall> remembered_;  // in the places of sample_
  std::optional<SlotFault> fault_;
  std::optional<RunnerAnswer> refused_;
  std::string not_replayed_;
};

}  // namespace ridgeline::judge
