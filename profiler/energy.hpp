// The energy of a call from looks at a device's counter of joules, which moves in steps: NVML's counts since
// the driver was loaded and is renewed some ten times a second. Numbers in, a figure out.
//
// What was used between two steps is known, and what happened between the two looks that found them new: so
// the span is taken from step to step, and its ends are uncertain by the time between two looks.
#pragma once

#include <optional>
#include <vector>

namespace ridgeline::profiler {

struct EnergyLook {
  double seconds = 0;  ///< of a monotonic clock
  double joules = 0;   ///< that the counter showed
  double calls = 0;    ///< made by then
};

struct EnergyUse {
  double watts = 0;
  double joules_a_call = 0;  ///< 0 where nothing was called
  int steps = 0;             ///< of the counter, within the span
};

/// When a batch had ended, and how many calls had been made by then.
struct CallsDone {
  double seconds = 0;
  double calls = 0;
};

/// Fills the looks' calls: between two entries of `done`, in order, calls go on evenly.
void count_calls(std::vector<EnergyLook>& looks, const std::vector<CallsDone>& done);

/// How many times the counter has moved, the first of which only begins a span.
int steps_of(const std::vector<EnergyLook>& looks);

/// Empty where the counter moved fewer than `least_steps` times after the one that begins the span.
std::optional<EnergyUse> energy_use(const std::vector<EnergyLook>& looks, int least_steps);

}  // namespace ridgeline::profiler
