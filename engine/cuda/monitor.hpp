// Reads how a GPU is doing while it measures: what limits its clocks, its temperature, its power.
//
// Uses NVML, loaded at run time (libnvidia-ml.so.1, which comes with the driver). A GPU that cannot be read
// is no failure: times stand, and the reason is reported once. One thread, except for `joules`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::cuda {

/// The state of a GPU at one moment.
struct DeviceState {
  double temperature = 0;              ///< degrees Celsius
  double power = 0;                    ///< watts
  std::vector<std::string> throttled;  ///< what limits the clocks: "power cap", "thermal slow-down", …
};

/// Names the set bits of NVML's clocks event reasons (nvml.h, nvmlClocksEventReasons) that slow a busy GPU
/// down. Idle clocks and application clocks are not among them.
std::vector<std::string> throttle_reasons(unsigned long long bits);

/// A connection to NVML for one GPU.
class Monitor {
 public:
  /// Connects to the GPU with this UUID (DeviceFacts::uuid). Never throws: `why_not` says what failed.
  explicit Monitor(const std::string& uuid);

  /// Returns what failed and how to fix it; "" where the GPU can be read.
  const std::string& why_not() const { return why_not_; }
  /// Reads the current state; empty where the GPU cannot be read.
  std::optional<DeviceState> now() const;
  /// Returns the joules used since the driver was loaded, as the GPU counts them about every 0.1 s; empty
  /// where the GPU has no such counter. Takes some milliseconds. Any thread.
  std::optional<double> joules() const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
  std::string why_not_;
};

}  // namespace ridgeline::cuda
