// Describes sequences of random numbers and computes them, each number a pure function of (key, place): what
// engine/verifier draws on a CPU, and what engine/cuda draws on a GPU with the same bits.
//
// The keys are secret and 64 bits long. A word is the exclusive or of two SplitMix64 finalizers over keyed
// counters. That is no cipher, but no way is known to find a key from words but to try all keys. Each
// sequence needs a key that says nothing of others.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>

namespace ridgeline::numbers {

inline float float_of_bits(unsigned int bits) {
  return std::bit_cast<float>(bits);
}
inline unsigned int bits_of_float(float x) {
  return std::bit_cast<unsigned int>(x);
}
/// The upper 64 bits of a product.
inline unsigned long long high_product(unsigned long long a, unsigned long long b) {
  __extension__ typedef unsigned __int128 Wide;
  return static_cast<unsigned long long>((static_cast<Wide>(a) * b) >> 64);
}

#define RIDGELINE_NUMBERS [[gnu::always_inline]] inline
#include "engine/core/draw_numbers.inc"
#undef RIDGELINE_NUMBERS

/// The bytes of one number.
constexpr std::size_t size_of(NumberType type) {
  switch (type) {
    case NumberType::f64:
    case NumberType::i64:
      return 8;
    case NumberType::f32:
    case NumberType::i32:
      return 4;
    case NumberType::f16:
    case NumberType::bf16:
    case NumberType::i16:
      return 2;
    case NumberType::i8:
    case NumberType::u8:
    case NumberType::boolean:
      break;
  }
  return 1;
}

}  // namespace ridgeline::numbers
