// A CPU on which every case is too large to be kept.
#pragma once

#include "engine/worker/judge/backends/host_backend.hpp"

namespace ridgeline::judge {

class StreamingMemory final : public HostMemory {
 public:
  bool needs_streaming(const Task&, const Case&) const override { return true; }
  std::int64_t slice_elements(const Task&, const Case&) const override { return 8; }
  void give_back_cached() override { ++given_back; }
  static inline int given_back = 0;
};

class StreamingHost final : public HostBackend {
 public:
  using HostBackend::HostBackend;
  DeviceMemory& memory() override { return memory_; }

 private:
  StreamingMemory memory_;
};

}  // namespace ridgeline::judge
