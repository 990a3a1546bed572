// One card: its facts, and its primary context, which candidates' runtime uses too.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <string>

#include "engine/core/occupancy.hpp"

namespace ridgeline::cuda {

struct DeviceFacts {
  std::string name;  ///< "NVIDIA H200"
  std::string uuid;  ///< "GPU-…"
  int index = 0;
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  double clock = 0;                     ///< of a multiprocessor at most, Hz
  MultiprocessorLimits multiprocessor;  ///< of each
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  int driver_version = 0;            ///< 13000 is CUDA 13.0
  double theoretical_bandwidth = 0;  ///< bytes a second, from memory clock and bus width; 0 where not told
};

/// Throws MachineCannot where the driver or the device is not there.
DeviceFacts device_facts(int index);
int device_count();

/// Retains the primary context and makes it current to the calling thread, for the life of the object.
class PrimaryContext {
 public:
  explicit PrimaryContext(int index);
  PrimaryContext(const PrimaryContext&) = delete;  // releases once
  PrimaryContext& operator=(const PrimaryContext&) = delete;
  ~PrimaryContext();

  int index() const { return index_; }
  /// To the calling thread, which others may have given another context.
  void make_current() const;

 private:
  int index_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
};

}  // namespace ridgeline::cuda
