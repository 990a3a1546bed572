// Maps the argument buffers into the runner: each memory file whole, with inaccessible space around it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/worker/runner/wire.hpp"

namespace ridgeline::runner {

/// The mappings of one arena.
class MappedArguments {
 public:
  MappedArguments() = default;
  MappedArguments(const MappedArguments&) = delete;  // it owns mappings
  MappedArguments& operator=(const MappedArguments&) = delete;
  ~MappedArguments() { unmap(); }

  /// Maps each descriptor for reading and writing, with its pages present, since a page fault would be timed,
  /// and inaccessible memory on both sides. Unmaps what was mapped before, and closes the descriptors.
  /// Returns false if one cannot be mapped.
  bool map(std::span<int> descriptors, std::span<const std::uint64_t> bytes) noexcept;
  void unmap() noexcept;

  std::size_t count() const { return count_; }
  std::byte* base(std::size_t argument) const { return areas_[argument].data; }
  std::size_t bytes(std::size_t argument) const { return areas_[argument].bytes; }

 private:
  struct Area {
    std::byte* reserved = nullptr;
    std::byte* data = nullptr;
    std::size_t bytes = 0;
  };
  std::array<Area, kMaxMemories> areas_{};
  std::size_t count_ = 0;
};

}  // namespace ridgeline::runner
