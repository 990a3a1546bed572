#include "engine/cuda/monitor.hpp"

#include <dlfcn.h>

#include <utility>

namespace ridgeline::cuda {
namespace {

// From nvml.h, whose binary interface is stable: every function returns 0 for success.
constexpr unsigned kCoreTemperature = 0;  // NVML_TEMPERATURE_GPU

/// Calls a function of NVML by its name; false if this version lacks it or it failed.
template <class... Arguments>
bool call(void* library, const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(library, name));
  return function && function(arguments...) == 0;
}

}  // namespace

std::vector<std::string> throttle_reasons(unsigned long long bits) {
  constexpr std::pair<unsigned long long, const char*> known[] = {{0x4, "power cap"},
                                                                  {0x8, "hardware slow-down"},
                                                                  {0x20, "thermal slow-down"},
                                                                  {0x40, "hardware thermal slow-down"},
                                                                  {0x80, "power brake"}};
  std::vector<std::string> reasons;
  for (const auto& [bit, name] : known)
    if (bits & bit) reasons.emplace_back(name);
  return reasons;
}

Monitor::Monitor(const std::string& uuid) : library_(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
  if (!library_)
    why_not_ = "NVML is not here (libnvidia-ml.so.1); fix: install the driver's management library";
  else if (!call(library_, "nvmlInit_v2"))
    why_not_ = "NVML does not start; fix: see whether nvidia-smi works";
  else if (!call(library_, "nvmlDeviceGetHandleByUUID", uuid.c_str(), &device_))
    why_not_ = "NVML does not know " + uuid;
}

std::optional<DeviceState> Monitor::now() const {
  if (!why_not_.empty()) return std::nullopt;
  unsigned degrees = 0, milliwatts = 0;
  unsigned long long reasons = 0;
  DeviceState state;
  if (call(library_, "nvmlDeviceGetTemperature", device_, kCoreTemperature, &degrees))
    state.temperature = degrees;
  if (call(library_, "nvmlDeviceGetPowerUsage", device_, &milliwatts)) state.power = milliwatts * 1e-3;
  if (call(library_, "nvmlDeviceGetCurrentClocksThrottleReasons", device_, &reasons))
    state.throttled = throttle_reasons(reasons);
  return state;
}

std::optional<double> Monitor::joules() const {
  unsigned long long millijoules = 0;
  if (!why_not_.empty() || !call(library_, "nvmlDeviceGetTotalEnergyConsumption", device_, &millijoules))
    return std::nullopt;
  return static_cast<double>(millijoules) * 1e-3;
}

}  // namespace ridgeline::cuda
