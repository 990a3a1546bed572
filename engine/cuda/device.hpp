// Describes one GPU, and holds its primary context, which the CUDA runtime of candidates uses too.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <string>

#include "engine/core/occupancy.hpp"

namespace ridgeline::cuda {

/// Describes a GPU as the driver reports it.
struct DeviceFacts {
  std::string name;  ///< e.g. "NVIDIA H200"
  std::string uuid;  ///< "GPU-…"
  int index = 0;
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  double clock = 0;                     ///< the highest clock of a multiprocessor, Hz
  MultiprocessorLimits multiprocessor;  ///< limits of each multiprocessor
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  int driver_version = 0;  ///< 13000 is CUDA 13.0
  double theoretical_bandwidth =
      0;  ///< bytes a second, from memory clock and bus width; 0 if the driver does not say
};

/// Asks the driver about device `index`. Throws MachineCannot where the driver or the device is missing.
DeviceFacts device_facts(int index);
/// The number of GPUs that the driver offers. Throws MachineCannot where there is no driver.
int device_count();

/// Retains the primary context of a device for its lifetime, and makes it current on the thread that creates
/// it.
class PrimaryContext {
 public:
  explicit PrimaryContext(int index);
  PrimaryContext(const PrimaryContext&) = delete;  // releases once
  PrimaryContext& operator=(const PrimaryContext&) = delete;
  ~PrimaryContext();

  int index() const { return index_; }
  /// Makes the context current on the calling thread, which others may have given another context.
  void make_current() const;

 private:
  int index_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
};

}  // namespace ridgeline::cuda
