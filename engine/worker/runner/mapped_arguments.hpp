// Maps the buffers of a case's arguments into the runner, the process that runs a candidate. The judge sends
// memory files, each with one or more buffers; each file is mapped whole, with inaccessible memory around it,
// so that an access beyond it faults.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/worker/runner/wire.hpp"

namespace ridgeline::runner {

/// The mapped memory files of one arena: the memory of one case's arguments that judge and runner share.
class MappedArguments {
 public:
  MappedArguments() = default;
  MappedArguments(const MappedArguments&) = delete;  // it owns mappings
  MappedArguments& operator=(const MappedArguments&) = delete;
  ~MappedArguments() { unmap(); }

  /// Maps each descriptor's file for reading and writing, or for reading alone if the descriptor is open for
  /// no more, with its pages present, since a page fault would be timed. `bytes` has the size of each file.
  /// Takes at most kMaxMemories descriptors, which the caller ensures. First unmaps what was mapped before;
  /// closes all descriptors in any case. Returns false if a file cannot be mapped: then nothing here may be
  /// used until a `map` succeeds, and the files that were mapped are released by the next `map` or `unmap`.
  bool map(std::span<int> descriptors, std::span<const std::uint64_t> bytes) noexcept;
  void unmap() noexcept;

  /// Returns how many files are mapped. `base` and `bytes` take the number of one, below this count.
  std::size_t count() const { return count_; }
  std::byte* base(std::size_t file) const { return areas_[file].data; }
  std::size_t bytes(std::size_t file) const { return areas_[file].bytes; }

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
