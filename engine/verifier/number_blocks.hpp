// Writes sequences of random numbers on the CPU, in loops that use the machine's widest vectors.
#pragma once

#include <cstdint>

#include "engine/core/draw_numbers.hpp"

namespace ridgeline::verifier {

/// Sequences are written in pieces that begin at multiples of this.
inline constexpr std::uint64_t kNumbersTogether = 1024;

/// Writes numbers `first` .. `first` + `count` - 1 of the sequence to `out`, which needs the alignment of one
/// number. `first` must be a multiple of kNumbersTogether.
void write_numbers(const numbers::Generation& generation, std::uint64_t first, std::uint64_t count,
                   void* out);

}  // namespace ridgeline::verifier
