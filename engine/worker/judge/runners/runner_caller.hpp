// Lets a sampler (sampling/sampler.hpp) call a runner: a candidate's, or the runner of a module's reference.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

class RunnerCaller final : public BatchCaller {
 public:
  /// `limit`: seconds a batch may take. The runner must live as long.
  RunnerCaller(RunnerProcess& runner, double limit) : runner_(runner), limit_(limit) {}

  std::optional<BatchTimes> call(std::size_t first, std::size_t count) override;
  /// Calls the first slots as a batch with sealed inputs (RunnerProcess::call_sealed). Returns empty as
  /// `call` does.
  std::optional<SealedBatchAnswer> call_sealed(const SealedBatch& batch);
  /// Sets the order of calls in the batches that follow. It is queued at first.
  void set_order(runner::CallOrder order) { order_ = order; }
  Overhead overhead() const override {
    return runner_.shares_device() ? runner_.trusted_overhead() : Overhead{};
  }

  /// How the runner ended or what it refused; set once `call` returned nothing.
  const std::optional<RunnerAnswer>& last() const { return last_; }

 private:
  RunnerProcess& runner_;
  double limit_;
  runner::CallOrder order_ = runner::CallOrder::queued;
  std::optional<RunnerAnswer> last_;
};

}  // namespace ridgeline::judge
