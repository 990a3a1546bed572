// A CPU on which every case is too large to be kept.
#pragma once

#include "engine/worker/judge/backends/host_backend.hpp"

namespace ridgeline::judge {

class StreamingHost final : public HostBackend {
 public:
  using HostBackend::HostBackend;
  bool needs_streaming(const Task&, const Case&) const override { return true; }
  void give_back_memory() override { ++given_back; }
  static inline int given_back = 0;
};

}  // namespace ridgeline::judge
