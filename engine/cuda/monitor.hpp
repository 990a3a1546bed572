// How a card is doing while it measures: what holds its clocks back, its temperature, its power.
//
// By NVML, loaded at run time (libnvidia-ml.so.1, which comes with the driver). A card that cannot be asked
// is no failure: times stand, and the reason is told once. One thread, but for `joules`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::cuda {

struct DeviceState {
  double temperature = 0;              ///< degrees Celsius
  double power = 0;                    ///< watts
  std::vector<std::string> throttled;  ///< what holds the clocks back: "power cap", "thermal slow-down", …
};

/// The names of NVML's clocks event reasons (nvml.h, nvmlClocksEventReasons) that slow a busy card down.
std::vector<std::string> throttle_reasons(unsigned long long bits);

class Monitor {
 public:
  /// `uuid` as in DeviceFacts.
  explicit Monitor(const std::string& uuid);

  /// What failed and the mend; "" where the card can be asked.
  const std::string& why_not() const { return why_not_; }
  /// Empty where it cannot be asked.
  std::optional<DeviceState> now() const;
  /// Joules since the driver was loaded, renewed every 0.1 s or so; empty where the card counts none. Takes
  /// some milliseconds. From any thread.
  std::optional<double> joules() const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
  std::string why_not_;
};

}  // namespace ridgeline::cuda
