// An arena without memory, for tests that only ask where its buffers lie.
#pragma once

#include <vector>

#include "engine/worker/judge/arenas/arena.hpp"

namespace ridgeline::judge {

class PlacedArena final : public Arena {
 public:
  /// `kernels_may_write`: no piece is mapped for reading alone, as on a GPU.
  PlacedArena(const Task& task, const Case& one, bool kernels_may_write)
      : Arena(task, one, 2, 7, {}), kernels_may_write_(kernels_may_write) {}
  std::size_t memory_bytes(std::size_t memory) const override { return least_bytes()[memory]; }
  int descriptor(std::size_t) const override { return -1; }
  int descriptor_for_kernel(std::size_t) const override { return kernels_may_write_ ? -1 : -2; }
  void fill(std::size_t, const std::vector<at::Tensor>&) override {}
  void fill(std::size_t, const Instance&) override {}
  void flush(std::size_t) override {}
  InspectionResult inspect(const Inspection&) const override { return {}; }
  std::size_t snapshot_bytes() const override { return 0; }
  std::vector<std::vector<at::Tensor>> inputs_of(const std::vector<Instance>&) const override { return {}; }
  std::vector<at::Tensor> view_inputs(std::size_t) const override { return {}; }

 protected:
  void write_guards(std::size_t) override {}

 private:
  bool kernels_may_write_;
};

}  // namespace ridgeline::judge
