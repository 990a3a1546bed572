// The runner's view of the argument buffers: each memory file mapped whole, alone, with unmapped space around
// it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/worker/runner/wire.hpp"

namespace ridgeline::runner {

class MappedArguments {
 public:
  MappedArguments() = default;
  MappedArguments(const MappedArguments&) = delete;  // it owns mappings
  MappedArguments& operator=(const MappedArguments&) = delete;
  ~MappedArguments() { unmap(); }

  /// Maps each descriptor read and write, pages present (a page fault would be timed); takes the descriptors
  /// and closes them. A guard of inaccessible memory stands on both sides. Unmaps what was mapped before.
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
