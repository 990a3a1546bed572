// Quantized tasks: distances, ties, and whether a result was quantized at all. Plain numbers, no tensors.
#pragma once

#include <cstdint>
#include <span>

#include "engine/core/mismatch.hpp"

namespace ridgeline::verifier {

/// What a distance is made of, wherever it was summed up.
struct DistanceSums {
  double product = 0, of_got = 0, of_plain = 0;  ///< of got x plain, and of squares
  double noise = 0;                              ///< of squared differences
  double absolute = 0, plain = 0;                ///< of |difference| and of |plain|
  double elements = 0;
};
QuantizationDistance quantization_distance(const DistanceSums& sums);

/// cosine, relative L1 (sum |got - plain| / sum |plain|), RMSE and SQNR (10 log10 of signal over noise, in
/// dB, 300 at the most) of `got` to the unquantized result; names are left empty.
QuantizationDistance quantization_distance(std::span<const double> got, std::span<const double> plain);

/// Whether what is wrong is no more than rounding ties: at most `share` of all elements (one of a small
/// output), each off by at most `room` beyond its tolerance.
bool only_ties(std::span<const double> got, std::span<const double> oracle, std::span<const double> tolerance,
               std::span<const std::uint8_t> wrong, double share, double room);

/// `got` follows the unquantized result: its root mean square distance to that is under a quarter of the
/// distance between the quantized and the unquantized one.
bool follows_unquantized(std::span<const double> got, std::span<const double> oracle,
                         std::span<const double> plain);

}  // namespace ridgeline::verifier
