#include "engine/verifier/quantization.hpp"

#include <algorithm>
#include <cmath>

namespace ridgeline::verifier {
namespace {

double rms_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

}  // namespace

QuantizationDistance quantization_distance(const DistanceSums& sums) {
  QuantizationDistance distance;
  // Two roots keep the product of large sums from overflowing.
  const double size = std::sqrt(sums.of_got) * std::sqrt(sums.of_plain);
  distance.cosine = size > 0 ? sums.product / size : (sums.of_got == sums.of_plain ? 1 : 0);
  distance.relative_l1 = sums.plain > 0 ? sums.absolute / sums.plain : sums.absolute;
  distance.rmse = sums.elements == 0 ? 0 : std::sqrt(sums.noise / sums.elements);
  distance.sqnr_db = sums.noise > 0 ? std::min(300.0, 10 * std::log10(sums.of_plain / sums.noise)) : 300;
  if (sums.of_plain == 0 && sums.noise > 0) distance.sqnr_db = -300;
  return distance;
}

QuantizationDistance quantization_distance(std::span<const double> got, std::span<const double> plain) {
  DistanceSums sums;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double difference = got[i] - plain[i];
    sums.product += got[i] * plain[i];
    sums.of_got += got[i] * got[i];
    sums.of_plain += plain[i] * plain[i];
    sums.noise += difference * difference;
    sums.absolute += std::fabs(difference);
    sums.plain += std::fabs(plain[i]);
  }
  sums.elements = static_cast<double>(got.size());
  return quantization_distance(sums);
}

bool only_ties(std::span<const double> got, std::span<const double> oracle, std::span<const double> tolerance,
               std::span<const std::uint8_t> wrong, double share, double room) {
  const auto allowed = std::max(1.0, std::floor(share * static_cast<double>(got.size())));
  double count = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (wrong[i] == 0) continue;
    if (++count > allowed || !(std::fabs(got[i] - oracle[i]) <= tolerance[i] + room)) return false;
  }
  return true;
}

bool follows_unquantized(std::span<const double> got, std::span<const double> oracle,
                         std::span<const double> plain) {
  if (got.empty()) return false;
  return rms_distance(got, plain) < 0.25 * rms_distance(oracle, plain);
}

}  // namespace ridgeline::verifier
