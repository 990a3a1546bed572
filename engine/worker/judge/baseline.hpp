// Eager LibTorch under the very conditions of a candidate: the same slots, flushed, fresh inputs, one thread;
// only that it runs in the judge's process and allocates its own outputs, as eager LibTorch does. A module's
// reference is run by a runner of its own, as a candidate would be, its results copied as a candidate's are.
#pragma once

#include <string_view>

#include "engine/core/timing.hpp"
#include "engine/worker/judge/prepared_task.hpp"
#include "engine/worker/judge/sampler.hpp"

namespace ridgeline::judge {

/// "float32": what the task computes in; "integers".
std::string_view compute_dtype_name(const Task& task);

class BaselineCaller : public BatchCaller {
 public:
  BaselineCaller(const PreparedTask& prepared, const PreparedCase& one) : prepared_(prepared), case_(one) {}
  std::optional<BatchTimes> call(std::size_t first, std::size_t count) override;

 private:
  const PreparedTask& prepared_;
  const PreparedCase& case_;
};

/// How far a baseline may be from what was kept of it.
inline constexpr double most_drift = 1.15;

/// Measures the case's baseline if it has none; else, if `look`, checks it with a few samples, and measures
/// it anew where it has drifted: where what the host does beside disturbs a candidate as it does the
/// baseline, either way; on a device only where it has become faster. There a busy host slows the launches of
/// an eager baseline and not a candidate, whose speed-up would grow by it. Returns the factor of drift
/// against what was kept, 1 at first and where nobody looked.
double keep_baseline(PreparedTask& prepared, PreparedCase& one, const SamplingLimits& limits, bool look);

/// The samples of `evidence` as a duration.
Duration to_duration(const Evidence& evidence, bool converged);

}  // namespace ridgeline::judge
