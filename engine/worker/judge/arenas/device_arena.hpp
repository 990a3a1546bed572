// Keeps slots in allocations of a GPU, which the runner gets by descriptor. The judge's own kernels
// (engine/cuda/jobs.hpp) fill and inspect all slots of a batch with one launch each.
#pragma once

#include <future>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/cuda/jobs.hpp"
#include "engine/cuda/sealing.hpp"
#include "engine/cuda/shared_memory.hpp"
#include "engine/worker/judge/arenas/arena.hpp"

namespace ridgeline::judge {

/// Buffers begin at multiples of 512 bytes, as those of torch and cudaMalloc do: a texture object takes no
/// other address (CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT).
inline constexpr ArenaLayout kDeviceLayout{.unit = 512, .page = 4096};
static_assert(kGuardBytes % kDeviceLayout.unit == 0 && kDeviceLayout.page % kDeviceLayout.unit == 0);

/// The device address of a CUDA tensor's data.
inline CUdeviceptr address_of(const at::Tensor& tensor) {
  return reinterpret_cast<CUdeviceptr>(tensor.const_data_ptr());
}

/// The kernels and buffers that all arenas of a device share. One thread.
class DeviceTools {
 public:
  /// `flush_bytes` is how much is read to empty the L2: at least four times its size. `secret`: a key of what
  /// lies there.
  DeviceTools(int device, std::size_t flush_bytes, std::uint64_t secret);

  int device() const { return device_; }
  cuda::Jobs& jobs() { return jobs_; }
  /// Uploads host memory; the copy is valid until the next call.
  CUdeviceptr scratch(const void* data, std::size_t bytes);
  /// Lets lines of the L2 that were set to persist be replaced like all others. Waits for all work of this
  /// context, so it must not be called while a thread watches the device (cuda/possession_watch.hpp).
  void reset_persisting_lines();
  /// Returns the job that empties the L2, but for lines that were set to persist.
  cuda::Evict evict_caches() const;

  // Sealed inputs. Runners map the memory by which the L2 is emptied, and may have written to it.

  /// Returns the kernels' cubin; waits for it to be compiled. Throws as cuda::compile.
  const std::vector<char>& sealing_cubin() const { return sealing_cubin_.get(); }
  /// Made at the first call, which waits for all work of this context, and fills the evicted part with words
  /// of a key that no runner gets.
  cuda::Sealing& sealing();
  const cuda::SharedMemory& eviction() const { return flush_; }
  /// The part of it that is read before a sealed call: twice the L2.
  cuda::DeviceRange evicted() const;
  std::size_t l2_bytes() const { return evicted().bytes / 2; }
  /// Returns whether it still holds the words that it was filled with. Fills it anew if not, so that what one
  /// candidate wrote there harms no other. Replaces the list of uploaded pieces.
  bool eviction_was_unchanged();

 private:
  void fill_eviction();

  int device_;
  cuda::Jobs jobs_;
  cuda::SharedMemory flush_;
  std::shared_future<std::vector<char>> sealing_cubin_;  // throws again whatever compiling threw
  cuda::OutputDigest evicted_digest_;                    // of the evicted part as it was filled
  Random secrets_;                                       // of what lies there
  std::uint64_t secret_ = 0;
  std::optional<cuda::Sealing> sealing_;
  std::optional<cuda::SharedMemory> scratch_;
};

/// The arena of a case that runs on a GPU.
class DeviceArena final : public Arena {
 public:
  /// Throws OutOfMemory or MachineCannot if the memory is not available.
  DeviceArena(const Task& task, const Case& one, std::size_t slots, std::uint64_t secret, DeviceTools& tools);

  std::size_t memory_bytes(std::size_t memory) const override { return memory_[memory].mapping.bytes(); }
  int descriptor(std::size_t memory) const override { return memory_[memory].descriptor.get(); }

  void fill(std::size_t slot, const std::vector<at::Tensor>& inputs) override;
  void fill(std::size_t slot, const Instance& instance) override;
  void flush(std::size_t slot) override;
  void settle() override;
  bool settle_and_check_outputs(std::size_t first, std::size_t count, Random& random) override;
  void discard_fillings() override {
    Arena::discard_fillings();
    for (auto& of_slot : pending_) of_slot = {};
  }
  void let_go() override;
  void settle_sealed(std::span<const std::uint64_t> keys) override;
  std::vector<cuda::OutputDigest> digests(std::span<const std::uint64_t> keys, bool emptied) override;
  double opening_seconds(std::size_t slots, bool empties_cache) override;
  std::size_t opened_bytes_in_cache() const override;
  InspectionResult inspect(const Inspection& inspection) const override;
  std::size_t snapshot_bytes() const override;
  using Arena::inputs_of;
  std::vector<std::vector<at::Tensor>> inputs_of(const std::vector<Instance>& instances) const override;
  std::vector<at::Tensor> view_inputs(std::size_t slot) const override;

 private:
  at::TensorOptions options_of(const Tensor& tensor, bool on_device) const;
  at::Tensor view_of_input(std::size_t slot, std::size_t argument) const;
  std::vector<at::Tensor> begin_inputs(const Instance& instance,
                                       std::vector<cuda::Generate>& generations) const;
  CUdeviceptr data(std::size_t slot, std::size_t argument) const;
  void write_guards(std::size_t slot) override;
  void poison_outputs(std::size_t slot);
  std::vector<std::optional<std::uint64_t>> settle_with(std::vector<cuda::Compare> compares);
  // Defined in device_sealing.cpp.
  std::size_t add_pieces(std::size_t slot, const std::vector<runner::SealedArgument>& arguments,
                         std::uint32_t runner::SealedArgument::* use,
                         std::vector<cuda::DeviceRange>& pieces) const;
  struct Unsealed;
  std::vector<Unsealed> take_inputs_to_seal(std::size_t slots, std::vector<at::Tensor>& drawn);
  void draw_and_seal(std::span<Unsealed> inputs, std::span<const std::uint64_t> keys,
                     const at::Tensor& private_memory);

  // Defined in device_inspection.cpp.
  struct InspectionJobs;
  struct Subject;
  void record(const Subject& subject, InspectionResult& result) const;
  void copy_outputs(std::size_t slot, InspectionJobs& jobs) const;
  void check_guards_of(std::size_t slot, InspectionJobs& jobs) const;
  void check_inputs(const FilledSlot& filled, InspectionJobs& jobs) const;
  void check_places(std::size_t slot, Random& random, InspectionJobs& jobs) const;
  /// Returns comparisons with poison at a random place of each output of `count` slots.
  std::vector<cuda::Compare> places_of(std::size_t first, std::size_t count, Random& random) const;
  void check_redrawn_inputs(const FilledSlot& filled, InspectionJobs& jobs) const;
  bool changed(const FilledSlot& filled, std::size_t argument, std::size_t input) const;
  GuardDamage locate(std::size_t slot, std::size_t argument, bool behind) const;

  DeviceTools& tools_;
  std::vector<cuda::SharedMemory> memory_;  // see Arena::memories
  bool judged_on_device_;                   // then copies of outputs stay on the device
  std::uint64_t guard_ = 0;                 // the pattern of every guard
  struct Pending {
    std::vector<cuda::Move> moves;
    std::vector<cuda::Generate> generations;
    std::vector<at::Tensor> drawn;  // sources of moves
  };
  std::vector<Pending> pending_;  // for each slot, until the next settle
  bool flush_ = false;
};

}  // namespace ridgeline::judge
