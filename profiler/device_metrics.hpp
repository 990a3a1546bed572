// Chooses the GPU metrics to count, and translates them into counters. Metrics have Nsight Compute's names;
// a metric that a chip lacks is left out, and so are the counters that depend on it.
//
// There are several sets, since the hardware counts few metrics at once and each further pass repeats the
// kernel. On an H100 or H200 the sets take 4, 7, 11, 4, 5 and 11 passes. All but the last two leave out what
// can change neither a diagnosis nor a word that a model is told.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/dtype.hpp"
#include "engine/core/kernel_launch.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::profiler {

/// A set of metrics that are counted together.
enum class MetricSet {
  plain,          ///< traffic, operations, occupancy, stalls, use of the units; nothing of the tensor pipe
  tensor,         ///< plain, and the tensor pipe: its use, and its operations in tf32, float64 and fp8
  narrow_tensor,  ///< tensor, and also its operations in bfloat16, float16 and int8
  brief,  ///< what needs no instrumented code (smsp__sass_…: operations, bytes a sector), which runs up to a
          ///< hundred times longer
  all_plain,  ///< plain, and what no diagnosis and no prompt uses
  all         ///< narrow_tensor, and what no diagnosis and no prompt uses
};
inline constexpr MetricSet metric_sets[] = {MetricSet::plain, MetricSet::tensor,    MetricSet::narrow_tensor,
                                            MetricSet::brief, MetricSet::all_plain, MetricSet::all};
/// Chooses the set for a candidate of a task whose first input has `dtype`: `plain` for CUDA C++ whose source
/// contains no "mma" (mma, wgmma, wmma), which is the only way to the tensor pipe there; `tensor` for other
/// candidates where the inputs have 32 bits or more and no word of the source names a narrower type
/// (device_metrics.cpp has the words); otherwise `narrow_tensor`.
/// `everything`: `all_plain` and `all` in their places.
MetricSet metrics_for(const Candidate& candidate, DType dtype, bool everything = false);

/// The names of a set's metrics, in the order in which they are counted.
const std::vector<std::string>& metrics_of(MetricSet set);

/// The values of one range by metric; a metric that was not counted is absent.
using MetricValues = std::map<std::string, double, std::less<>>;

/// Pairs names with values, and leaves out values that no call counts: NaN, negative ones, and those beyond
/// 1e-9 to 1e18. What is computed from the others is finite.
MetricValues to_metric_values(const std::vector<std::string>& metrics, const double* values);

/// Translates the values of a whole call, counted with `set`, into counters. engine/core/counters.hpp says
/// what each means.
std::vector<Counter> counters_of(MetricSet set, const MetricValues& call);

/// Copies time, traffic and occupancy of one kernel's range into the launch that it belongs to.
void set_measured(KernelLaunch& launch, const MetricValues& kernel);

}  // namespace ridgeline::profiler
