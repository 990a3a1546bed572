// Provides counter-based random numbers: word i of a stream is a function of (seed, stream, i), so any part
// can be drawn again.
//
// Torch's Philox is not used: these loops fill memory several times faster on one core, and inputs need no
// more than equal distribution and an unguessable seed. Words are SplitMix64 (Steele, Lea, Flood, OOPSLA
// 2014) over a keyed counter; engine/core/draw_numbers.hpp makes numbers of them.
#pragma once

#include <cstdint>

#include "engine/core/draw_numbers.hpp"

namespace ridgeline::verifier {

/// A stream of random numbers. Immutable, so threads may share it.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream)
      : Random(numbers::mixed(seed + 0x9E3779B97F4A7C15ULL) ^ numbers::mixed(numbers::mixed(stream) + seed)) {
  }
  /// Returns the stream with this key. The caller must derive the key by a hash (or take that of another
  /// Random): who sees words of a stream can compute its key, which must say nothing of other streams.
  static Random with_key(std::uint64_t key) { return Random(key); }

  std::uint64_t key() const { return key_; }
  /// The 64 random bits of word i.
  std::uint64_t bits(std::uint64_t i) const { return numbers::word64(key_, i); }
  /// A number in [0, 1), a multiple of 2^-53.
  double unit(std::uint64_t i) const { return numbers::wide_unit_of(bits(i)); }
  /// An integer in 0 .. range-1; the bias is below range / 2^32.
  std::uint64_t below(std::uint64_t i, std::uint64_t range) const {
    return range >> 32 != 0 ? bits(i) % range : ((bits(i) >> 32) * range) >> 32;
  }
  /// An independent stream that is a function of this one.
  Random fork(std::uint64_t stream) const { return Random(key_, stream); }

 private:
  explicit Random(std::uint64_t key) : key_(key) {}

  std::uint64_t key_;
};

}  // namespace ridgeline::verifier
