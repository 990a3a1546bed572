#include "engine/worker/judge/runners/runner_caller.hpp"

#include <utility>

namespace ridgeline::judge {

std::optional<BatchTimes> RunnerCaller::call(std::size_t first, std::size_t count) {
  auto batch = runner_.call(first, count, limit_, order_);
  if (is_ok(batch.answer)) return batch.times;
  last_ = std::move(batch.answer);
  return std::nullopt;
}

std::optional<SealedBatchAnswer> RunnerCaller::call_sealed(const SealedBatch& sealed) {
  auto batch = runner_.call_sealed(sealed, limit_);
  if (is_ok(batch.answer)) return batch;
  last_ = std::move(batch.answer);
  return std::nullopt;
}

}  // namespace ridgeline::judge
