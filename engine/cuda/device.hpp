// Describes one GPU, and holds its primary context: the one context per device and process that the CUDA
// runtime, and so a candidate's code, uses too.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <string>

#include "engine/core/occupancy.hpp"

namespace ridgeline::cuda {

/// Describes a GPU as the driver reports it.
struct DeviceFacts {
  std::string name;          ///< e.g. "NVIDIA H200"
  std::string uuid;          ///< "GPU-…", as nvidia-smi prints it; "" if the driver does not say
  std::string bus_id;        ///< on the PCI bus, "0000:1b:00.0"; "" if the driver does not say
  int index = 0;             ///< the number under which the driver lists it, after CUDA_VISIBLE_DEVICES
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  double clock = 0;                     ///< the highest clock of a multiprocessor, in Hz
  MultiprocessorLimits multiprocessor;  ///< limits of each multiprocessor
  std::size_t memory_bytes = 0;         ///< the device's main memory
  std::size_t l2_bytes = 0;             ///< its L2 cache
  int driver_version = 0;               ///< the newest CUDA that the driver supports: 13000 is CUDA 13.0
  /// Bytes per second, from memory clock and bus width; 0 if the driver does not say.
  double theoretical_bandwidth = 0;
};

/// Asks the driver about device `index`, counted from 0. Throws MachineCannot if the driver or the device is
/// missing. A fact that an old driver does not know stays 0.
DeviceFacts device_facts(int index);
/// Returns how many GPUs the driver offers. Throws MachineCannot if there is no driver.
int device_count();

/// Retains the primary context of a device as long as this object lives, and releases it then.
class PrimaryContext {
 public:
  /// Retains the context of device `index`, and makes it current on the calling thread. Throws MachineCannot
  /// if there is no driver, no such device, or no memory for the context.
  explicit PrimaryContext(int index);
  PrimaryContext(const PrimaryContext&) = delete;  // a copy would release the context a second time
  PrimaryContext& operator=(const PrimaryContext&) = delete;
  ~PrimaryContext();

  int index() const { return index_; }
  CUcontext get() const { return context_; }
  /// Makes the context current on the calling thread, where other code may have set another one. Throws
  /// MachineCannot.
  void make_current() const;

 private:
  int index_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
};

}  // namespace ridgeline::cuda
