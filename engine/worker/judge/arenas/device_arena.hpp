// Slots in allocations of a GPU, passed to the runner by descriptor; filled and looked at by the judge's own
// kernels (engine/cuda/jobs.hpp), a launch for all slots of a batch.
#pragma once

#include <map>
#include <memory>

#include "engine/cuda/jobs.hpp"
#include "engine/cuda/shared_memory.hpp"
#include "engine/worker/judge/arenas/arena.hpp"

namespace ridgeline::judge {

/// Buffers begin at multiples of 256 bytes, as those of cudaMalloc do.
inline constexpr ArenaLayout kDeviceLayout{.unit = 256, .page = 4096};

inline CUdeviceptr address_of(const at::Tensor& tensor) {
  return reinterpret_cast<CUdeviceptr>(tensor.const_data_ptr());
}

/// What all arenas of a device share.
class DeviceTools {
 public:
  /// `flush_bytes`: how much is read to empty the L2; twice its size at least.
  DeviceTools(int device, std::size_t flush_bytes);

  int device() const { return device_; }
  cuda::Jobs& jobs() { return jobs_; }
  /// Where an instance's values lie ready on the device; a pool on the CPU is uploaded at first sight, and
  /// those of earlier pools leave.
  CUdeviceptr place_of(const Instance& instance, const verifier::InputPool::Window& window);
  /// A copy of host memory, for as long as no other is asked for.
  CUdeviceptr scratch(const void* data, std::size_t bytes);
  void empty_caches();

 private:
  CUdeviceptr mirror(const Instance& instance, const void* pool, std::size_t bytes);

  int device_;
  cuda::Jobs jobs_;
  cuda::SharedMemory flush_;
  struct Mirror {
    std::weak_ptr<const verifier::InputPool> owner;
    cuda::SharedMemory memory;
  };
  std::map<const void*, Mirror> mirrors_;
  std::optional<cuda::SharedMemory> scratch_;
};

class DeviceArena final : public Arena {
 public:
  /// Throws MachineCannot where the memory is not to be had.
  DeviceArena(const Task& task, const Case& one, std::size_t slots, std::uint64_t secret, DeviceTools& tools);

  std::size_t memory_bytes(std::size_t memory) const override { return memory_[memory].mapping.bytes(); }
  int descriptor(std::size_t memory) const override { return memory_[memory].descriptor.get(); }

  void fill(std::size_t slot, const std::vector<at::Tensor>& inputs) override;
  void fill(std::size_t slot, const Instance& instance) override;
  void flush(std::size_t) override { flush_ = true; }
  void settle() override;
  void forget() override {
    Arena::forget();
    for (auto& of_slot : pending_) of_slot.clear();
  }
  Findings look(const Inspection& wanted) const override;
  std::size_t snapshot_bytes() const override;
  using Arena::inputs_of;
  std::vector<std::vector<at::Tensor>> inputs_of(const std::vector<Instance>& instances) const override;
  std::vector<at::Tensor> view_inputs(std::size_t slot) const override;

 private:
  at::TensorOptions options_of(const Tensor& tensor, bool on_device) const;
  std::vector<at::Tensor> begin_inputs(const Instance& instance, std::vector<cuda::Move>& moves) const;
  CUdeviceptr data(std::size_t slot, std::size_t argument) const;
  void write_guards(std::size_t slot) override;
  void poison_outputs(std::size_t slot);

  // device_look.cpp
  struct Look;
  struct About;
  void note(const About& about, Findings& found) const;
  void copy_outputs(std::size_t slot, Look& look) const;
  void look_at_guards(std::size_t slot, Look& look) const;
  void look_at_inputs(const Filled& filled, Look& look) const;
  void look_at_places(std::size_t slot, bool ahead, Random& random, Look& look) const;
  void look_at_inputs_made_anew(const Filled& filled, Look& look) const;
  std::optional<CUdeviceptr> place_of_input(const Filled& filled, std::size_t input) const;
  GuardDamage locate(std::size_t slot, std::size_t argument, bool behind) const;

  DeviceTools& tools_;
  std::vector<cuda::SharedMemory> memory_;        // one an argument, mostly (Arena::memories)
  bool judged_there_;                             // so copies stay on the device
  std::uint64_t guard_ = 0;                       // the pattern of every guard
  std::vector<std::vector<cuda::Move>> pending_;  // of each slot, until the next settle
  bool flush_ = false;
};

}  // namespace ridgeline::judge
