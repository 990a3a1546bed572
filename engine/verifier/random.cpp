#include "engine/verifier/random.hpp"

#include <bit>

namespace ridgeline::verifier {
namespace {

/// Natural logarithm of a positive normal float, to about 2e-7 relative: the polynomial of Cephes' logf.
inline float log_of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  // Exponent and mantissa such that the mantissa lies in [sqrt(1/2), sqrt(2)).
  const auto shifted = static_cast<std::int32_t>(bits - 0x3F3504F3U);
  const auto exponent = static_cast<float>(shifted >> 23);
  const float m = std::bit_cast<float>(bits - (static_cast<std::uint32_t>(shifted) & 0xFF800000U)) - 1.0F;
  float p = 7.0376836292E-2F;
  p = p * m - 1.1514610310E-1F;
  p = p * m + 1.1676998740E-1F;
  p = p * m - 1.2420140846E-1F;
  p = p * m + 1.4249322787E-1F;
  p = p * m - 1.6668057665E-1F;
  p = p * m + 2.0000714765E-1F;
  p = p * m - 2.4999993993E-1F;
  p = p * m + 3.3333331174E-1F;
  const float square = m * m;
  return p * m * square - 0.5F * square + m + exponent * 0.693147181F;
}

/// Square root of a positive float by Newton's iteration. std::sqrt may set errno, which keeps loops scalar.
inline float root_of(float x) {
  // The constant gives 1/sqrt(x) to 4 %; three iterations reach float32.
  float y = std::bit_cast<float>(0x5F375A86U - (std::bit_cast<std::uint32_t>(x) >> 1));
  y = y * (1.5F - 0.5F * x * y * y);
  y = y * (1.5F - 0.5F * x * y * y);
  y = y * (1.5F - 0.5F * x * y * y);
  return x * y;
}

/// One standard normal number; `word` gives a probability and, by its top bit, a sign.
inline float normal_of(std::uint32_t word) {
  // Distance from the nearer end of the distribution keeps the tails exact.
  const std::uint32_t folded = word ^ (0U - (word >> 31));
  const float p = (static_cast<float>(static_cast<std::int32_t>(folded)) + 0.5F) * 0x1p-32F;
  // Giles' polynomials: one for the centre (w < 5) and one for the tails.
  const float w = -log_of(4.0F * p * (1.0F - p));
  const float c = w - 2.5F;
  float central = 2.81022636e-08F;
  central = 3.43273939e-07F + central * c;
  central = -3.5233877e-06F + central * c;
  central = -4.39150654e-06F + central * c;
  central = 0.00021858087F + central * c;
  central = -0.00125372503F + central * c;
  central = -0.00417768164F + central * c;
  central = 0.246640727F + central * c;
  central = 1.50140941F + central * c;
  const float t = root_of(w) - 3.0F;
  float tail = -0.000200214257F;
  tail = 0.000100950558F + tail * t;
  tail = 0.00134934322F + tail * t;
  tail = -0.00367342844F + tail * t;
  tail = 0.00573950773F + tail * t;
  tail = -0.0076224613F + tail * t;
  tail = 0.00943887047F + tail * t;
  tail = 1.00167406F + tail * t;
  tail = 2.83297682F + tail * t;
  // A mask chooses between them, since a branch would keep the loop scalar.
  const std::uint32_t near = 0U - static_cast<std::uint32_t>(w < 5.0F);
  const float chosen = std::bit_cast<float>((std::bit_cast<std::uint32_t>(central) & near) |
                                            (std::bit_cast<std::uint32_t>(tail) & ~near));
  const float magnitude = chosen * (1.0F - 2.0F * p) * 1.41421356F;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) ^ (word & 0x80000000U));
}

}  // namespace

void Random::words(std::uint64_t first, std::uint32_t* out, std::size_t count) const {
  for (std::size_t i = 0; i + 1 < count; i += 2) {
    const auto pair = bits((first + i) / 2);
    out[i] = static_cast<std::uint32_t>(pair);
    out[i + 1] = static_cast<std::uint32_t>(pair >> 32);
  }
}

void normal_from_words(const std::uint32_t* words, float* out, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) out[i] = normal_of(words[i]);
}

}  // namespace ridgeline::verifier
