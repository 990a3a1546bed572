// Reads and writes elements of a raw buffer as numbers, without tensors. Every loop over values in this
// folder goes through here.
#pragma once

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "engine/core/dtype.hpp"

namespace ridgeline::verifier {

/// Calls `f(T*)` with a null pointer of the element's C++ type; complex dtypes give the type of their real
/// component. Bools are std::uint8_t, since a candidate may have left any byte there.
template <class F>
decltype(auto) with_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::float64:
    case DType::complex128:
      return f(static_cast<double*>(nullptr));
    case DType::float32:
    case DType::complex64:
      return f(static_cast<float*>(nullptr));
    case DType::float16:
      return f(static_cast<c10::Half*>(nullptr));
    case DType::bfloat16:
      return f(static_cast<c10::BFloat16*>(nullptr));
    case DType::int64:
      return f(static_cast<std::int64_t*>(nullptr));
    case DType::int32:
      return f(static_cast<std::int32_t*>(nullptr));
    case DType::int16:
      return f(static_cast<std::int16_t*>(nullptr));
    case DType::int8:
      return f(static_cast<std::int8_t*>(nullptr));
    case DType::uint8:
    case DType::boolean:
      break;
  }
  return f(static_cast<std::uint8_t*>(nullptr));
}

/// How many numbers one element holds: 2 if complex, otherwise 1.
constexpr std::int64_t components(DType dtype) {
  return is_complex(dtype) ? 2 : 1;
}

/// Converts an element to double. Half and BFloat16 go through float, since they convert to nothing else.
template <class T>
double to_double(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return static_cast<double>(static_cast<float>(value));
}
/// Rounds `value` to a floating T. Truncates it to an integral T, whose range must hold it.
template <class T>
T from_double(double value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(value);
  else
    return T(static_cast<float>(value));
}

/// The largest finite number of a dtype: of complex dtypes that of a component, of a bool 1. Of int64 the
/// largest double in its range, 2^63 - 1024.
double largest(DType dtype);
/// The least finite number of a dtype, likewise: 0 for uint8 and bool.
double lowest(DType dtype);
/// The smallest positive normal number of a floating dtype or of a complex dtype's components.
double smallest_normal(DType dtype);

/// The largest number below `bound` of a floating dtype or of a complex dtype's components. `bound` is 0 or
/// of normal size. Subnormal numbers do not count: below 0 the next is -smallest_normal.
double next_below(DType dtype, double bound);

/// Rounds `value` to `digits` significant binary digits, to nearest, ties to even. Zeros, infinities and NaN
/// stay.
double round_to_digits(double value, int digits);

}  // namespace ridgeline::verifier
