// Counter-based random numbers: word i of a stream is a function of (seed, stream, i), so any part can be
// drawn again.
//
// Not torch's Philox: these loops fill memory several times faster on one core, and inputs need no more than
// equal distribution and an unguessable seed. Words: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) over a
// keyed counter.
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

class Random {
 public:
  constexpr Random(std::uint64_t seed, std::uint64_t stream)
      : key_(mix(seed + 0x9E3779B97F4A7C15ULL) ^ mix(mix(stream) + seed)) {}

  constexpr std::uint64_t bits(std::uint64_t i) const { return mix(key_ + (i + 1) * 0x9E3779B97F4A7C15ULL); }
  /// [0, 1), multiples of 2^-53.
  constexpr double unit(std::uint64_t i) const { return static_cast<double>(bits(i) >> 11) * 0x1p-53; }
  /// 0 .. range-1; the bias is below range / 2^32.
  constexpr std::uint64_t below(std::uint64_t i, std::uint64_t range) const {
    return range >> 32 != 0 ? bits(i) % range : ((bits(i) >> 32) * range) >> 32;
  }
  /// A stream that depends on this one.
  constexpr Random fork(std::uint64_t stream) const { return Random(key_, stream); }

  /// Words `first`.. of the stream, 32 bits each; `first` and `count` even.
  void words(std::uint64_t first, std::uint32_t* out, std::size_t count) const;

 private:
  std::uint64_t key_;
};

/// Standard normal numbers from uniform words, by the inverse distribution function: Giles, "Approximating
/// the erfinv function", GPU Computing Gems 2 (2010), single precision. Reaches 6.2 standard deviations.
void normal_from_words(const std::uint32_t* words, float* out, std::size_t count);

}  // namespace ridgeline::verifier
