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

/// What a busy host slows: on a CPU both sides, and on a device both where an interpreter launches the
/// candidate's kernels as it does the reference's; a native candidate launches once or twice, and its eager
/// baseline often.
enum class BusyHostSlows { both, baseline_alone };

/// Measures the case's baseline if it has none; else, if `look` or none has confirmed it yet, checks it with
/// a few samples, and measures it anew where it has drifted: either way where both sides are slowed alike;
/// else only where it has become faster, or a busy host would raise the speed-up. Returns the factor of drift
/// against what was kept, 1 at first and where nobody looked.
double keep_baseline(PreparedTask& prepared, PreparedCase& one, const SamplingLimits& limits, bool look,
                     BusyHostSlows slows);

/// The samples of `evidence` as a duration.
Duration to_duration(const Evidence& evidence, bool converged);

}  // namespace ridgeline::judge
