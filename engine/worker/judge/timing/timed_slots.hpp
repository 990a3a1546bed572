// The slots that a timing runs over: filled with inputs that were never used before, flushed from the caches,
// and inspected after each batch. Some calls of a batch, chosen at random, are copied for a comparison
// afterwards. One thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/sampling/reservoir.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// A timed call that is compared later: its inputs, and a private copy of its outputs.
struct TimedCall {
  Instance instance;
  std::vector<at::Tensor> outputs;
  std::size_t round = 0;  ///< the A/B round in which it was made, from 0; 0 without rounds
};

/// Says what an inspection saw that no honest kernel leaves.
struct SlotFault {
  Reason reason = Reason::wrong_when_timed;
  std::string detail;
};

/// The slots of one side in one case's timing arena, as a sampler uses them.
class TimedSlots : public SlotKeeper {
 public:
  /// `runner` must have mapped the case's timing arena, which must exist. It is sent the buffers' places
  /// whenever they move. Null for the baseline in the judge's process: then nothing is inspected, and no call
  /// is remembered. All arguments must outlive this.
  TimedSlots(PreparedTask& prepared, PreparedCase& prepared_case, RunnerProcess* runner);

  // The methods of SlotKeeper: sampler.hpp says what each does and returns.
  std::size_t slots() const override { return arena_.slots(); }
  bool arrange(std::size_t count) override;
  double fill(std::size_t first, std::size_t count, bool cold) override;
  bool prepare_rounds(const HotPlan& plan) override;
  bool inspect(std::size_t first, std::size_t count) override;
  double settle() override { return runner_ ? telemetry_.response_seconds() : 0; }
  double clock() override { return telemetry_.clock_hz(); }

  /// Fills the first keys.size() slots with sealed inputs. They must be arranged. What is sealed lies in no
  /// slot in the open, so it does not matter what else uses the device.
  void fill_sealed(std::span<const std::uint64_t> keys);
  /// Inspects the slots of a sealed batch as `inspect` does, and holds the outputs against `digests`, which
  /// the runner gave before it got the next key. `emptied_cache`: SealedBatch::empties_cache. Keeps up to 8
  /// calls in all, until `forget`, in sealed_samples().
  bool inspect_sealed(std::span<const std::uint64_t> keys, std::span<const cuda::OutputDigest> digests,
                      bool emptied_cache);
  /// Calls of sealed batches, to be compared in full, each.
  std::vector<TimedCall>& sealed_samples() { return sealed_samples_; }
  /// Returns what opening the inputs of a slot and making the digest of its outputs takes, seconds. Fill
  /// slots after it.
  double opening_seconds(bool empties_cache);
  /// Returns the seconds by which a call may be longer since inputs that were just opened are written back
  /// to the device's memory beside it.
  double write_back_seconds() const;
  /// What of each argument is sealed.
  std::vector<runner::SealedArgument> sealed_arguments() const { return arena_.sealed_arguments(); }

  /// Returns what the last inspection saw; empty if nothing was wrong, or before the first.
  const std::optional<SlotFault>& fault() const { return fault_; }
  /// Returns how the runner last refused the buffers' places, or ended when it was sent them; empty if it
  /// never did. A prepare_rounds that fails since calls cannot be replayed leaves not_replayed() instead.
  const std::optional<RunnerAnswer>& arrange_failure() const { return arrange_failure_; }
  /// Returns why calls were not replayed as graphs, if that was planned; else "".
  const std::string& not_replayed() const { return not_replayed_; }
  /// The calls to compare: a random sample of those inspected since `forget`, at most 12 of a batch. The
  /// caller may reorder them, but must not add or remove any.
  std::vector<TimedCall>& remembered() { return remembered_; }
  /// Forgets all remembered calls, and counts rounds from 0 again.
  void forget();
  /// Begins the next round: calls from here on belong to it.
  void begin_round() { ++rounds_begun_; }
  /// Forgets the remembered calls of other rounds, and moves those of `rounds` to the front. If these are
  /// fewer than 12, keeps as many others behind them as make 12.
  void keep_rounds(const std::vector<std::size_t>& rounds);

 private:
  bool place(std::size_t count, const Rounds& rounds);
  double write(std::size_t first, std::size_t count, bool cold);
  void draw(std::size_t first, std::size_t count, bool cold);
  void remember(std::size_t slot, std::vector<at::Tensor> outputs, std::size_t place);

  PreparedTask& prepared_;
  Telemetry& telemetry_;
  PreparedCase& case_;
  Arena& arena_;
  RunnerProcess* runner_;
  std::vector<Instance> instances_;  // of each slot
  std::size_t most_of_a_batch_;      // calls of a batch that may enter the sample
  Reservoir sample_;
  std::size_t rounds_begun_ = 0;
  std::vector<TimedCall> remembered_;  // in the places of sample_
  std::vector<TimedCall> sealed_samples_;
  std::optional<SlotFault> fault_;
  std::optional<RunnerAnswer> arrange_failure_;
  std::string not_replayed_;
};

}  // namespace ridgeline::judge
