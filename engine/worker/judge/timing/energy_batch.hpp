// The energy of a call: batches one after another for as long as a device's counter of joules needs, with
// another thread that looks at it. Advisory, as hot times are: nobody looks at what the calls left.
//
// Calls go round over all slots of the timing arena, so that operands come from memory where those exceed the
// cache. What is counted is all that the device drew, waiting included.
#pragma once

#include <optional>
#include <string>

#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/judge/tasks/backend.hpp"
#include "profiler/energy.hpp"

namespace ridgeline::judge {

struct EnergyOutcome {
  std::optional<profiler::EnergyUse> use;
  std::string why_not;  ///< where there is none
};

/// `calls`: that one batch makes, on what the keeper has prepared. Takes some 1.2 s.
EnergyOutcome energy_of_calls(BatchCaller& caller, const Backend& backend, std::size_t calls);

/// Watts that the device draws while nobody asks anything of it, awake. Takes some 0.7 s.
std::optional<double> idle_watts(const Backend& backend);

}  // namespace ridgeline::judge
