// Ways to go through memory as fast as this CPU can, for measuring its levels.
#pragma once

#include <cstddef>
#include <vector>

namespace ridgeline::profiler {

/// One pass over buffers of `bytes` each, a multiple of pass_unit, on a boundary of 64. What reads looks at
/// `from`, what writes fills `to`; the other may be null.
using Pass = void (*)(std::byte* to, const std::byte* from, std::size_t bytes);

inline constexpr std::size_t pass_unit = 1024;

/// Several of a kind, since none is the fastest everywhere: a store that passes by the caches spares the
/// memory a read, and costs a cache its data.
struct Passes {
  std::vector<Pass> read;
  std::vector<Pass> write;
  std::vector<Pass> copy;
  Pass update = nullptr;  ///< changes each element of `to` in place
};

/// By the widest vectors that this CPU has, asked at run time, so that one binary measures every machine.
const Passes& memory_passes();

}  // namespace ridgeline::profiler
