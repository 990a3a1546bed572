// A runner as something whose batches are sampled: a candidate's, or the one that holds a module's reference.
#pragma once

#include <optional>

#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"

namespace ridgeline::judge {

class RunnerCaller final : public BatchCaller {
 public:
  /// `limit`: seconds a batch may take. The runner must live as long.
  RunnerCaller(RunnerProcess& runner, double limit) : runner_(runner), limit_(limit) {}

  std::optional<BatchTimes> call(std::size_t first, std::size_t count) override;

  /// How it ended or what it refused, once `call` gave nothing.
  const std::optional<RunnerAnswer>& last() const { return last_; }

 private:
  RunnerProcess& runner_;
  double limit_;
  std::optional<RunnerAnswer> last_;
};

}  // namespace ridgeline::judge
