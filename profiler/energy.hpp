// Derives the energy of a call from readings of a device's joule counter. Plain numbers, no I/O.
//
// The counter moves in steps: NVML's counts since the driver was loaded, and is renewed about ten times a
// second. The energy between two steps is exact. When a step happened is known only to lie between two
// readings, so the span runs from the first to the last step, and its ends are uncertain by the time between
// two readings.
#pragma once

#include <optional>
#include <vector>

namespace ridgeline::profiler {

/// One reading of the counter.
struct EnergyReading {
  double seconds = 0;  ///< on a monotonic clock
  double joules = 0;   ///< what the counter showed
  double calls = 0;    ///< how many calls had been made by then
};

/// States the power that a batch of calls drew, and the energy that each call used.
struct EnergyUse {
  double watts = 0;
  double joules_a_call = 0;  ///< 0 if no call was made
  int steps = 0;             ///< how often the counter moved after the move that began the span
};

/// The time at which a batch had ended, and how many calls had been made by then.
struct CallsDone {
  double seconds = 0;
  double calls = 0;
};

/// Fills in the readings' calls. Calls are taken to go on evenly between two entries of `done`, which are in
/// order of time.
void count_calls(std::vector<EnergyReading>& readings, const std::vector<CallsDone>& done);

/// Counts how often the counter moved, the first move included; EnergyUse::steps is one less.
int steps_of(const std::vector<EnergyReading>& readings);

/// Computes what the calls used between the first and the last move; empty if the counter moved fewer than
/// `least_steps` times after the first.
std::optional<EnergyUse> energy_use(const std::vector<EnergyReading>& readings, int least_steps);

}  // namespace ridgeline::profiler
