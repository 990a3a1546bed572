// Measures quantized results: distances, rounding ties, and whether a result was quantized at all. Plain
// numbers, no tensors.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/mismatch.hpp"

namespace ridgeline::verifier {

/// The sums that a distance is made of. `got` is the output, `plain` the unquantized result.
struct DistanceSums {
  double product = 0;   ///< sum of got x plain
  double of_got = 0;    ///< sum of got squared
  double of_plain = 0;  ///< sum of plain squared
  double noise = 0;     ///< sum of (got - plain) squared
  double absolute = 0;  ///< sum of |got - plain|
  double plain = 0;     ///< sum of |plain|
  double elements = 0;  ///< how many were summed
};
/// Computes the distance from its sums; case and output names are left empty.
QuantizationDistance quantization_distance(const DistanceSums& sums);

/// Computes cosine, relative L1 (sum |got - plain| / sum |plain|), RMSE and SQNR (10 log10 of signal over
/// noise, in dB, between -300 and 300) of `got` to the unquantized result. Names are left empty.
QuantizationDistance quantization_distance(std::span<const double> got, std::span<const double> plain);

/// Says whether rounding ties explain all wrong elements: they are at most `share` of all elements (or a
/// single element), each off by at most `room` beyond its tolerance.
bool only_ties(std::span<const double> got, std::span<const double> oracle, std::span<const double> tolerance,
               std::span<const std::uint8_t> wrong, double share, double room);

/// Says whether `got` follows the unquantized result: its root mean square distance to that is under a
/// quarter of the distance between the quantized and the unquantized one.
bool follows_unquantized(std::span<const double> got, std::span<const double> oracle,
                         std::span<const double> plain);

}  // namespace ridgeline::verifier
