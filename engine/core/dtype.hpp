// Lists the element types of tensors. Task files and reports use PyTorch's names for them.
//
// In memory a complex number is a (real, imaginary) pair, and a bool is one byte, 0 or 1. The host has no
// type for float16 and bfloat16: it sees their 16-bit patterns.
#pragma once

#include <array>
#include <cstddef>

#include "engine/core/names.hpp"

namespace ridgeline {

enum class DType {
  float64,
  float32,
  float16,
  bfloat16,
  int64,
  int32,
  int16,
  int8,
  uint8,
  boolean,
  complex64,
  complex128
};

constexpr auto enum_names(DType) {
  return std::to_array<Name<DType>>({{DType::float64, "float64"},
                                     {DType::float32, "float32"},
                                     {DType::float16, "float16"},
                                     {DType::bfloat16, "bfloat16"},
                                     {DType::int64, "int64"},
                                     {DType::int32, "int32"},
                                     {DType::int16, "int16"},
                                     {DType::int8, "int8"},
                                     {DType::uint8, "uint8"},
                                     {DType::boolean, "bool"},
                                     {DType::complex64, "complex64"},
                                     {DType::complex128, "complex128"}});
}

/// Returns the bytes of one element.
constexpr std::size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::complex128:
      return 16;
    case DType::float64:
    case DType::int64:
    case DType::complex64:
      return 8;
    case DType::float32:
    case DType::int32:
      return 4;
    case DType::float16:
    case DType::bfloat16:
    case DType::int16:
      return 2;
    case DType::int8:
    case DType::uint8:
    case DType::boolean:
      return 1;
  }
  return 0;
}

constexpr bool is_complex(DType d) {
  return d == DType::complex64 || d == DType::complex128;
}
/// Returns the dtype of a complex number's two parts; any other dtype is returned unchanged.
constexpr DType real_dtype(DType d) {
  return d == DType::complex64 ? DType::float32 : d == DType::complex128 ? DType::float64 : d;
}
/// Returns whether `d` is a floating-point dtype; false for complex ones.
constexpr bool is_floating(DType d) {
  return d == DType::float64 || d == DType::float32 || d == DType::float16 || d == DType::bfloat16;
}
/// Returns whether results in `d` are rounded: true for floating and complex dtypes, false for integers and
/// bools.
constexpr bool is_floating_or_complex(DType d) {
  return is_floating(d) || is_complex(d);
}

/// Returns the unit roundoff (half the distance from 1 to the next number) of a floating dtype, or of a
/// complex dtype's parts; 0 for integers and bools.
constexpr double unit_roundoff(DType d) {
  switch (d) {
    case DType::float64:
    case DType::complex128:
      return 0x1p-53;
    case DType::float32:
    case DType::complex64:
      return 0x1p-24;
    case DType::float16:
      return 0x1p-11;
    case DType::bfloat16:
      return 0x1p-8;
    default:
      return 0;
  }
}

}  // namespace ridgeline
