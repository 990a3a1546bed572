// Defines what the judge writes into every output before a call, so that elements that nobody wrote are
// recognized.
//
// Floating and complex outputs: all bits set, a NaN that no arithmetic makes (its results are quiet NaNs
// with an empty payload). Integers and bools: the byte 0xA5 repeated, which is no bool and an unlikely
// integer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/core/dtype.hpp"

namespace ridgeline::verifier {

/// The byte that fills an unwritten output of `dtype`.
constexpr std::uint8_t poison_byte(DType dtype) {
  return is_floating(dtype) || is_complex(dtype) ? std::uint8_t{0xFF} : std::uint8_t{0xA5};
}

/// The same byte eight times.
constexpr std::uint64_t poison_word(DType dtype) {
  return poison_byte(dtype) * 0x0101010101010101ULL;
}

/// Fills `bytes` bytes at `buffer` with poison.
void poison(DType dtype, void* buffer, std::size_t bytes);

/// Says whether the one element at `element` still holds poison.
bool is_poison(DType dtype, const void* element);

}  // namespace ridgeline::verifier
