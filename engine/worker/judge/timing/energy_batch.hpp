// Measures the energy of a call: runs batches one after another until a device's counter of joules has moved
// often enough, while another thread reads the counter. Advisory, as hot times are: nobody compares what the
// calls left.
//
// Calls go round over all slots of the timing arena, so that operands come from memory if they exceed the
// cache. All that the device drew is counted, waiting included.
#pragma once

#include <optional>
#include <string>

#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/judge/tasks/telemetry.hpp"
#include "profiler/energy.hpp"

namespace ridgeline::judge {

/// A figure, or why there is none.
struct EnergyOutcome {
  std::optional<profiler::EnergyUse> use;
  std::string why_not;  ///< "" if there is a figure
};

/// Measures batches of `calls` calls on slots that are filled. Takes some 1.2 s; gives up after 3 s.
EnergyOutcome energy_of_calls(BatchCaller& caller, const Telemetry& telemetry, std::size_t calls);

/// Returns the watts that the device draws while it is awake and unused; empty without a counter of joules.
/// Takes some 0.7 s.
std::optional<double> idle_watts(const Telemetry& telemetry);

}  // namespace ridgeline::judge
