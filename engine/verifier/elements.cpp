#include "engine/verifier/elements.hpp"

#include <cmath>

namespace ridgeline::verifier {
namespace {

/// Significant binary digits of a floating dtype.
int digits_of(DType dtype) {
  return 1 - std::ilogb(unit_roundoff(dtype)) - 1;
}

template <class T>
constexpr double largest_of = static_cast<double>(std::numeric_limits<T>::max());

}  // namespace

double largest(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return 65504;
    case DType::bfloat16:
      return 0x1.FEp127;
    case DType::float32:
    case DType::complex64:
      return largest_of<float>;
    case DType::float64:
    case DType::complex128:
      return largest_of<double>;
    case DType::int64:
      return 0x1.FFFFFFFFFFFFFp62;  // the largest integer itself rounds to 2^63, which is out of range
    case DType::int32:
      return largest_of<std::int32_t>;
    case DType::int16:
      return largest_of<std::int16_t>;
    case DType::int8:
      return largest_of<std::int8_t>;
    case DType::uint8:
      return largest_of<std::uint8_t>;
    case DType::boolean:
      break;
  }
  return 1;
}

double lowest(DType dtype) {
  switch (dtype) {
    case DType::int64:
      return -0x1p63;
    case DType::int32:
    case DType::int16:
    case DType::int8:
      return -largest(dtype) - 1;
    case DType::uint8:
    case DType::boolean:
      return 0;
    default:
      return -largest(dtype);
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
