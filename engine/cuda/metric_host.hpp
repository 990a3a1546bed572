// The host half of CUPTI's Range Profiler: from names of metrics to what the hardware is told to count, and
// from what it counted back to numbers. Needs the name of a chip and no GPU. One thread.
//
// Metrics are those of Nsight Compute ("dram__bytes_read.sum"); which of them share a pass is the library's
// to know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/cuda/cupti.hpp"

namespace ridgeline::cuda {

/// What a chip is told to count, made once for a chip and a list of metrics.
struct MetricConfig {
  std::vector<std::uint8_t> image;
  std::size_t passes = 0;     ///< how often the work must be run
  std::vector<bool> unknown;  ///< of each metric: this chip has none of that name, and it is not counted
};

class MetricHost {
 public:
  /// `chip`: "GH100". Throws CuptiRefused where this CUPTI does not know it. `cupti` must live as long.
  MetricHost(const Cupti& cupti, std::string chip);
  MetricHost(const MetricHost&) = delete;  // it owns a library's object
  MetricHost& operator=(const MetricHost&) = delete;
  ~MetricHost();

  const std::string& chip() const { return chip_; }

  /// Throws CuptiRefused where none of the metrics is known.
  MetricConfig configure(std::span<const std::string> metrics) const;

  /// Values of one range, in the order of `metrics`; NaN where there is none.
  std::vector<double> evaluate(std::span<const std::uint8_t> counted, std::size_t range,
                               std::span<const std::string> metrics) const;

 private:
  CUptiResult add(CUpti_Profiler_Host_Object* object, std::vector<const char*> names) const;

  const Cupti& cupti_;
  std::string chip_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

/// The chip's name as metrics know it. Needs the driver. Throws CuptiRefused.
std::string chip_name(const Cupti& cupti, int device);

}  // namespace ridgeline::cuda
