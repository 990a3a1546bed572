// Finds stretches of random outputs that occur twice: within an output whose generator has a short period,
// or in two calls that return parts of one stream. Plain numbers, no tensors.
//
// A stretch counts by how surprising its repetition is, in bits. Two honest elements of one process agree
// with a chance of at most sqrt(c_i c_j), where c_i is the chance that two draws of element i agree (Cauchy
// and Schwarz). So an element carries -log2(c_i) bits. The reference's draws estimate c_i; it is never taken
// below 1/8, since so few draws say nothing about smaller chances. A repeated stretch carries the mean of the
// bits of both its places. There are fewer than N^2 / 2 pairs of places among N elements, so an honest output
// repeats B bits with a chance below 2^-B N^2 / 2. Twice the bits that this asks for are demanded: that
// allows for what the draws estimate poorly.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/verifier/draw_rows.hpp"

namespace ridgeline::verifier {

/// A stretch that occurs twice.
struct Repeat {
  std::size_t call = 0, place = 0;              ///< where it is found first
  std::size_t other_call = 0, other_place = 0;  ///< where it is found again
  std::size_t length = 0;                       ///< elements
  double bits = 0;                              ///< that it carries
};

/// Returns running sums: element i is how many bits the elements before i carry together, so the difference
/// of two is what a stretch carries. The result is one longer than an output.
std::vector<double> bits_before(const DrawRows& draws);

/// The bits that a repeated stretch must carry among `elements` elements of all calls, so that an honest
/// output is refused with a chance below `p_value`.
double bits_demanded(double elements, double p_value);

/// Returns a stretch with at least `demanded` bits that occurs twice in `calls`, the outputs of equally many
/// elements that the calls returned; empty if there is none. `bits` comes from bits_before. Two elements are
/// equal if their representations are, or if both are zeros of either sign. In outputs above 2^17 elements it
/// looks at a part of all places, chosen by their content, and so is only sure to find stretches that are a
/// few hundred elements longer than the shortest that count.
std::optional<Repeat> find_repeat(const std::vector<std::span<const double>>& calls,
                                  std::span<const double> bits, double demanded);

}  // namespace ridgeline::verifier
