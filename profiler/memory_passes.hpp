// Provides functions that go through memory as fast as this CPU can, to measure its levels.
#pragma once

#include <cstddef>
#include <vector>

namespace ridgeline::profiler {

/// One pass over buffers of `bytes` each, a multiple of pass_unit, aligned to 64 bytes. A reading pass reads
/// `from`, a writing pass fills `to`; the other pointer may be null.
using Pass = void (*)(std::byte* to, const std::byte* from, std::size_t bytes);

inline constexpr std::size_t pass_unit = 1024;

/// Several functions of a kind, since none is the fastest everywhere: a store that bypasses the caches
/// spares memory a read, but takes data out of a cache.
struct Passes {
  std::vector<Pass> read;
  std::vector<Pass> write;
  std::vector<Pass> copy;
  Pass update = nullptr;  ///< changes each element of `to` in place
};

/// Returns the functions for the widest vectors of this CPU. The CPU is asked at run time, so that one
/// binary measures every machine.
const Passes& memory_passes();

}  // namespace ridgeline::profiler
