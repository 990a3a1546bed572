// Element types: c10::ScalarType with c10's own numbers, the C++ type of each, and Python's dtype objects.
#pragma once

#include "torch_slim/error.h"
#include "torch_slim/half.h"

namespace c10 {

enum class ScalarType : int8_t {
  Byte = 0,
  Char = 1,
  Short = 2,
  Int = 3,
  Long = 4,
  Half = 5,
  Float = 6,
  Double = 7,
  ComplexHalf = 8,
  ComplexFloat = 9,
  ComplexDouble = 10,
  Bool = 11,
  BFloat16 = 15,
  Float8_e5m2 = 23,
  Float8_e4m3fn = 24,
  Undefined = 45,
};

}  // namespace c10

// (C++ type, name in ScalarType, name in Python)
#define TORCH_SLIM_ELEMENTS(_)  \
  _(uint8_t, Byte, "uint8")     \
  _(int8_t, Char, "int8")       \
  _(int16_t, Short, "int16")    \
  _(int32_t, Int, "int32")      \
  _(int64_t, Long, "int64")     \
  _(c10::Half, Half, "float16") \
  _(float, Float, "float32")    \
  _(double, Double, "float64")  \
  _(bool, Bool, "bool")

namespace c10 {

#define TORCH_SLIM_CONSTANT(type, name, python) inline constexpr ScalarType k##name = ScalarType::name;
TORCH_SLIM_ELEMENTS(TORCH_SLIM_CONSTANT)
#undef TORCH_SLIM_CONSTANT
inline constexpr ScalarType kBFloat16 = ScalarType::BFloat16;

template <class T>
struct CppTypeToScalarType;
#define TORCH_SLIM_MAP(type, name, python) \
  template <>                              \
  struct CppTypeToScalarType<type> : std::integral_constant<ScalarType, ScalarType::name> {};
TORCH_SLIM_ELEMENTS(TORCH_SLIM_MAP)
#undef TORCH_SLIM_MAP
template <>
struct CppTypeToScalarType<BFloat16> : std::integral_constant<ScalarType, ScalarType::BFloat16> {};

namespace impl {
template <ScalarType type>
struct ScalarTypeToCPPType;
#define TORCH_SLIM_MAP(t, name, python)          \
  template <>                                    \
  struct ScalarTypeToCPPType<ScalarType::name> { \
    using type = t;                              \
  };
TORCH_SLIM_ELEMENTS(TORCH_SLIM_MAP)
#undef TORCH_SLIM_MAP
template <>
struct ScalarTypeToCPPType<ScalarType::BFloat16> {
  using type = BFloat16;
};
template <ScalarType t>
using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<t>::type;
}  // namespace impl

const char* toString(ScalarType type);
size_t elementSize(ScalarType type);

inline bool isFloatingType(ScalarType t) {
  return t == kFloat || t == kDouble || t == kHalf || t == kBFloat16 || t == ScalarType::Float8_e5m2 ||
         t == ScalarType::Float8_e4m3fn;
}
inline bool isIntegralType(ScalarType t, bool with_bool = false) {
  return static_cast<int>(t) <= 4 || (with_bool && t == kBool);
}

}  // namespace c10

namespace caffe2 {
/// What Tensor::dtype() returns.
class TypeMeta {
 public:
  constexpr TypeMeta() = default;
  constexpr TypeMeta(c10::ScalarType type) : type_(type) {}
  constexpr c10::ScalarType toScalarType() const { return type_; }
  size_t itemsize() const { return c10::elementSize(type_); }
  template <class T>
  static constexpr TypeMeta Make() {
    return c10::CppTypeToScalarType<T>::value;
  }
  friend constexpr bool operator==(TypeMeta a, TypeMeta b) { return a.type_ == b.type_; }
  friend constexpr bool operator!=(TypeMeta a, TypeMeta b) { return a.type_ != b.type_; }

 private:
  c10::ScalarType type_ = c10::ScalarType::Undefined;
};
}  // namespace caffe2

namespace torch_slim {

Text& operator<<(Text& out, c10::ScalarType type);
Text& operator<<(Text& out, caffe2::TypeMeta type);

/// The torch module; borrowed, held for good.
PyObject* torch_module();

/// Python's dtype objects are singletons, held for good; so a type is found by address.
PyObject* dtype_object(c10::ScalarType type);
/// Undefined if it is none of these.
c10::ScalarType type_of_dtype(PyObject* object);

}  // namespace torch_slim

namespace at {
using namespace c10;
}
namespace torch {
inline constexpr auto kUInt8 = c10::kByte, kInt8 = c10::kChar, kInt16 = c10::kShort, kInt32 = c10::kInt,
                      kInt64 = c10::kLong, kFloat16 = c10::kHalf, kFloat32 = c10::kFloat,
                      kFloat64 = c10::kDouble;
inline constexpr auto kU8 = kUInt8, kI8 = kInt8, kI16 = kInt16, kI32 = kInt32, kI64 = kInt64, kF16 = kFloat16,
                      kF32 = kFloat32, kF64 = kFloat64, kBF16 = c10::kBFloat16;
using Dtype = c10::ScalarType;
}  // namespace torch
