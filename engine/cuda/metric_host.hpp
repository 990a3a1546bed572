// The host half of CUPTI's Range Profiler: turns names of metrics into a configuration for the hardware, and
// counted data back into numbers. Needs the name of a chip and no GPU. One thread.
//
// Metrics have Nsight Compute's names ("dram__bytes_read.sum"). CUPTI decides which of them share a pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/cuda/cupti.hpp"

namespace ridgeline::cuda {

/// Tells a RangeProfiler which metrics to count. MetricHost makes it once for each chip and list of metrics.
struct MetricConfig {
  std::vector<std::uint8_t> image;  ///< CUPTI's own format, for RangeProfiler::configure
  std::size_t passes = 0;           ///< how often the work must be repeated
  std::vector<bool> unknown;        ///< for each metric: this chip lacks it, so it is not counted
};

/// Configures and evaluates metrics for one chip.
class MetricHost {
 public:
  /// `chip` is a name such as "GH100". `cupti` must outlive the object. Throws CuptiRefused where this CUPTI
  /// does not know the chip.
  MetricHost(const Cupti& cupti, std::string chip);
  MetricHost(const MetricHost&) = delete;  // it owns a library's object
  MetricHost& operator=(const MetricHost&) = delete;
  ~MetricHost();

  const std::string& chip() const { return chip_; }

  /// Makes the configuration for `metrics`. Throws CuptiRefused where the chip has none of them.
  MetricConfig configure(std::span<const std::string> metrics) const;

  /// Returns the values of range number `range` in `counted`, in the order of `metrics`; NaN where there is
  /// no value.
  std::vector<double> evaluate(std::span<const std::uint8_t> counted, std::size_t range,
                               std::span<const std::string> metrics) const;

 private:
  CUptiResult add(CUpti_Profiler_Host_Object* object, std::vector<const char*> names) const;

  const Cupti& cupti_;
  std::string chip_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

/// Returns the name that metrics know the device's chip by. Needs the driver. Throws CuptiRefused.
std::string chip_name(const Cupti& cupti, int device);

}  // namespace ridgeline::cuda
