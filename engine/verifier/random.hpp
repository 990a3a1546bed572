// Provides counter-based random numbers: word i of a stream is a function of (seed, stream, i), so any part
// can be drawn again.
//
// Torch's Philox is not used: these loops fill memory several times faster on one core, and inputs need no
// more than equal distribution and an unguessable seed. Words are SplitMix64 (Steele, Lea, Flood, OOPSLA
// 2014) over a keyed counter.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridgeline::verifier {

/// SplitMix64's finalizer.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// A stream of random numbers. Immutable, so threads may share it.
class Random {
 public:
  constexpr Random(std::uint64_t seed, std::uint64_t stream)
      : key_(mix(seed + 0x9E3779B97F4A7C15ULL) ^ mix(mix(stream) + seed)) {}

  /// The 64 random bits of word i.
  constexpr std::uint64_t bits(std::uint64_t i) const { return mix(key_ + (i + 1) * 0x9E3779B97F4A7C15ULL); }
  /// A number in [0, 1), a multiple of 2^-53.
  constexpr double unit(std::uint64_t i) const { return static_cast<double>(bits(i) >> 11) * 0x1p-53; }
  /// An integer in 0 .. range-1; the bias is below range / 2^32.
  constexpr std::uint64_t below(std::uint64_t i, std::uint64_t range) const {
    return range >> 32 != 0 ? bits(i) % range : ((bits(i) >> 32) * range) >> 32;
  }
  /// An independent stream that is a function of this one.
  constexpr Random fork(std::uint64_t stream) const { return Random(key_, stream); }

  /// Writes `count` words of 32 bits, from word `first` of the stream on; both must be even.
  void words(std::uint64_t first, std::uint32_t* out, std::size_t count) const;

 private:
  std::uint64_t key_;
};

/// Turns uniform words into standard normal numbers by the inverse distribution function: Giles,
/// "Approximating the erfinv function", GPU Computing Gems 2 (2010), in single precision. They reach 6.2
/// standard deviations.
void normal_from_words(const std::uint32_t* words, float* out, std::size_t count);

}  // namespace ridgeline::verifier
