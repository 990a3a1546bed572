// Generators of random words for the tests of random tasks: four honest ones in common use, and poor ones.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ridgeline::verifier {

/// Returns the next 32 random bits.
using Words = std::function<std::uint32_t()>;

/// SplitMix64 (Steele, Lea, Flood, 2014).
inline Words split_mix(std::uint64_t seed) {
  return [state = seed]() mutable {
    std::uint64_t x = state += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<std::uint32_t>((x ^ (x >> 31)) >> 32);
  };
}

/// The Mersenne twister, which NumPy and torch have on a CPU.
inline Words twister(std::uint64_t seed) {
  return [engine = std::make_shared<std::mt19937>(static_cast<std::uint32_t>(seed))] {
    return static_cast<std::uint32_t>((*engine)());
  };
}

/// Philox 4x32-10 (Salmon and others, SC 2011), which torch and cuRAND have on a GPU.
inline Words philox(std::uint64_t seed) {
  return [seed, block = std::uint64_t{0}, words = std::array<std::uint32_t, 4>{}, used = 4U]() mutable {
    if (used == 4) {
      words = {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0, 0};
      auto low = static_cast<std::uint32_t>(seed), high = static_cast<std::uint32_t>(seed >> 32);
      for (int round = 0; round < 10; ++round, low += 0x9E3779B9U, high += 0xBB67AE85U) {
        const std::uint64_t a = std::uint64_t{0xD2511F53U} * words[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * words[2];
        words = {static_cast<std::uint32_t>(b >> 32) ^ words[1] ^ low, static_cast<std::uint32_t>(b),
                 static_cast<std::uint32_t>(a >> 32) ^ words[3] ^ high, static_cast<std::uint32_t>(a)};
      }
      ++block, used = 0;
    }
    return words[used++];
  };
}

/// XORWOW (Marsaglia, "Xorshift RNGs", 2003), cuRAND's default, seeded as weakly as it allows.
inline Words xorwow(std::uint64_t seed) {
  const auto low = static_cast<std::uint32_t>(seed) ^ 0xAAD26B49U;
  const auto high = static_cast<std::uint32_t>(seed >> 32) ^ 0xF7DCEFDDU;
  const std::uint32_t t0 = 1099087573U * low, t1 = 2591861531U * high;
  return [x = std::array<std::uint32_t, 5>{123456789U + t0, 362436069U ^ t0, 521288629U + t1, 88675123U ^ t1,
                                           5783321U + t0},
          d = 6615241U + t1 + t0]() mutable {
    const std::uint32_t t = x[0] ^ (x[0] >> 2);
    x = {x[1], x[2], x[3], x[4], (x[4] ^ (x[4] << 4)) ^ (t ^ (t << 1))};
    return (d += 362437U) + x[4];
  };
}

/// The words of `table`, from `begin` on and again and again.
inline Words cycled(std::vector<std::uint32_t> table, std::size_t begin = 0) {
  return [table = std::move(table), at = begin]() mutable { return table[at++ % table.size()]; };
}

/// The first `period` words of a good generator.
inline std::vector<std::uint32_t> table_of(std::size_t period, std::uint64_t seed) {
  auto words = split_mix(seed);
  std::vector<std::uint32_t> table(period);
  for (auto& word : table) word = words();
  return table;
}

/// The lowest `bits` of a linear congruential generator ("Numerical Recipes", 7.1), moved to the top.
inline Words low_bits(int bits, std::uint64_t seed) {
  return [bits, state = static_cast<std::uint32_t>(seed)]() mutable {
    state = state * 1664525U + 1013904223U;
    return state << (32 - bits);
  };
}

struct NamedGenerator {
  std::string name;
  std::function<Words(std::uint64_t seed)> make;
};

inline std::vector<NamedGenerator> honest_generators() {
  return {{"SplitMix64", split_mix}, {"MT19937", twister}, {"Philox", philox}, {"XORWOW", xorwow}};
}

}  // namespace ridgeline::verifier
