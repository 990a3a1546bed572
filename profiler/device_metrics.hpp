// Which metrics of NVIDIA's GPUs are read, and what they mean. Names are those of Nsight Compute; a metric
// that a chip does not have is left out, and what would follow from it with it.
//
// Two sets, since what shares a pass of the hardware is cheap and what does not is another run of the
// kernel. On an H100 or H200: 6 passes for each.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/kernel_launch.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::profiler {

enum class MetricSet {
  call,     ///< traffic, operations, occupancy, stalls, use of the units
  products  ///< operations of the tensor pipe by precision; worth asking only where `call` saw it used
};

const std::vector<std::string>& metrics_of(MetricSet set);

/// Of one range; what was not counted is not in it.
using MetricValues = std::map<std::string, double, std::less<>>;

/// Pairs names and values, without those that are no number or below 0.
MetricValues pair_up(const std::vector<std::string>& metrics, const double* values);

/// Counters of the whole call, from `call`, and from `products` where there are any; engine/core/counters.hpp
/// says what each means.
std::vector<Counter> counters_of(const MetricValues& call, const MetricValues& products);

/// What one kernel's range tells, into the launch that it belongs to.
void fill_in(KernelLaunch& launch, const MetricValues& kernel);

}  // namespace ridgeline::profiler
