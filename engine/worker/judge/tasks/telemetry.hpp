// Reads what the hardware says of itself: whether it answers, its clocks, heat, joules and counters, and the
// rates that it can reach. A backend implements this port. One thread, but for `joules`.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "engine/core/occupancy.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::judge {

/// Says how the calls of candidates on a device are counted.
struct DeviceCounting {
  std::optional<std::filesystem::path> library;  ///< CUPTI's; empty: it was not found
  std::string why_not;                           ///< why nothing can be counted, if that is known; else ""
  MultiprocessorLimits limits;
};

class Telemetry {
 public:
  virtual ~Telemetry() = default;

  /// Returns whether the judge can go on. It cannot after an error of its own on a GPU, which leaves a
  /// context in which nothing works.
  virtual bool sound() const { return true; }
  /// Runs an empty kernel and returns the seconds until it was done, earlier work of others included; 0
  /// without a device.
  virtual double response_seconds() { return 0; }
  /// Performs `work`, which runs kernels of this process on streams of its own and waits for these streams
  /// alone. Returns the longest time, in seconds, for which the device ran none of this process's kernels
  /// meanwhile: others may have used it then. 0 without a device.
  virtual double interruption_of(const std::function<void()>& work) {
    work();
    return 0;
  }
  /// Returns the device's present clock, Hz; 0 if the device has none of its own.
  virtual double clock_hz() { return 0; }
  /// Says for people whether the device holds its clocks back now: "the device's clocks are held back (power
  /// cap) at 71 °C and 690 W"; "" if not or unknown.
  virtual std::string throttle_note() { return {}; }
  /// Returns the joules that the device has drawn so far, by a counter that moves every now and then; empty
  /// without one. From any thread.
  virtual std::optional<double> joules() const { return std::nullopt; }
  /// Returns the device's ceilings, measured at the first call.
  virtual const Ceilings& ceilings() = 0;
  /// Measures the ceilings again and raises them in place if they were too low: a busy machine may have
  /// lowered them. `exceeded`: a candidate reached them, so they must be too low. Call it while nothing is
  /// timed.
  virtual void remeasure_ceilings([[maybe_unused]] bool exceeded) {}
  /// Returns the bytes a second that no honest kernel exceeds.
  virtual double theoretical_bandwidth() = 0;
  /// Returns how calls are counted; empty if counters of a runner are read from outside
  /// (profiler/perf_counters.hpp).
  virtual std::optional<DeviceCounting> counting() const { return std::nullopt; }
};

}  // namespace ridgeline::judge
