// Keeps slots in memory files, for candidates that run on the CPU.
#pragma once

#include "engine/worker/judge/arenas/arena.hpp"
#include "engine/worker/judge/arenas/memory_file.hpp"

namespace ridgeline::judge {

/// The arena of a case that runs on the CPU.
class HostArena final : public Arena {
 public:
  /// Throws MachineCannot if the memory is not available.
  HostArena(const Task& task, const Case& one, std::size_t slots, std::uint64_t secret);

  std::size_t memory_bytes(std::size_t memory) const override { return files_[memory].bytes(); }
  int descriptor(std::size_t memory) const override { return files_[memory].descriptor(); }
  int descriptor_for_kernel(std::size_t memory) const override {
    return reading_[memory] ? reading_[memory].get() : descriptor(memory);
  }
  /// The address of a slot's data in this process.
  std::byte* data(std::size_t slot, std::size_t argument) const;

  /// Writes zeros: 48 MiB take one to five milliseconds, new or punched pages take sixty.
  void clear() override;
  void fill(std::size_t slot, const std::vector<at::Tensor>& inputs) override;
  void fill(std::size_t slot, const Instance& instance) override;
  void flush(std::size_t slot) override;
  InspectionResult inspect(const Inspection& inspection) const override;
  std::size_t host_bytes() const override;
  std::size_t snapshot_bytes() const override { return std::size_t{32} << 20; }
  using Arena::inputs_of;
  std::vector<std::vector<at::Tensor>> inputs_of(const std::vector<Instance>& instances) const override;
  std::vector<at::Tensor> view_inputs(std::size_t slot) const override;

 private:
  void write_guards(std::size_t slot) override;
  void poison_outputs(std::size_t slot);
  std::optional<GuardDamage> check_slot(std::size_t slot) const;
  std::vector<at::Tensor> copy_outputs(std::size_t slot) const;
  std::optional<std::string> changed_input(const FilledSlot& filled) const;
  std::optional<std::string> unwritten_output(std::size_t first, std::size_t count, Random& random) const;

  std::vector<MemoryFile> files_;        // see Arena::memories
  std::vector<FileDescriptor> reading_;  // of each file that holds inputs alone; else empty
  std::vector<std::byte> pattern_;       // the key repeated, long enough for a guard at any offset
};

}  // namespace ridgeline::judge
