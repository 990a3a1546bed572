#include "engine/verifier/elements.hpp"

#include <cmath>

namespace ridgeline::verifier {
namespace {

/// Significant binary digits of a floating dtype.
int digits_of(DType dtype) {
  return 1 - std::ilogb(unit_roundoff(dtype)) - 1;
}

}  // namespace

double largest(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return 65504;
    case DType::bfloat16:
      return 0x1.FEp127;
    case DType::float32:
    case DType::complex64:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

double smallest_normal(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return 0x1p-14;
    case DType::bfloat16:
    case DType::float32:
    case DType::complex64:
      return 0x1p-126;
    default:
      return 0x1p-1022;
  }
}

double next_below(DType dtype, double bound) {
  const double rounded = round_to_digits(bound, digits_of(dtype));
  if (rounded < bound) return rounded;
  // Below zero the next number would be subnormal, which wider dtypes may flush.
  if (rounded == 0) return -smallest_normal(dtype);
  int exponent = 0;
  const double fraction = std::frexp(rounded, &exponent);  // |fraction| in [0.5, 1)
  // Just below a power of two, numbers lie twice as dense.
  const int spacing = exponent - digits_of(dtype) - (fraction == 0.5 ? 1 : 0);
  return rounded - std::ldexp(1.0, spacing);
}

double round_to_digits(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, digits)), exponent - digits);
}

}  // namespace ridgeline::verifier
