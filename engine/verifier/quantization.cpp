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

QuantizationDistance quantization_distance(std::span<const double> got, std::span<const double> plain) {
  double product = 0, of_got = 0, of_plain = 0, noise = 0, absolute = 0, sum = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double difference = got[i] - plain[i];
    product += got[i] * plain[i];
    of_got += got[i] * got[i];
    of_plain += plain[i] * plain[i];
    noise += difference * difference;
    absolute += std::fabs(difference);
    sum += std::fabs(plain[i]);
  }
  QuantizationDistance distance;
  const double size = std::sqrt(of_got) * std::sqrt(of_plain);
  distance.cosine = size > 0 ? product / size : (of_got == of_plain ? 1 : 0);
  distance.relative_l1 = sum > 0 ? absolute / sum : absolute;
  distance.rmse = got.empty() ? 0 : std::sqrt(noise / static_cast<double>(got.size()));
  distance.sqnr_db = noise > 0 ? std::min(300.0, 10 * std::log10(of_plain / noise)) : 300;
  if (of_plain == 0 && noise > 0) distance.sqnr_db = -300;
  return distance;
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
