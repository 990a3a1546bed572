// c10::Scalar: one number of any of C++'s kinds.
#pragma once

#include "torch_slim/scalar_type.h"

namespace c10 {

class Scalar {
 public:
  constexpr Scalar() : Scalar(int64_t{0}) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  constexpr Scalar(T value)
      : kind_(std::is_same_v<T, bool> ? Kind::boolean
              : std::is_integral_v<T> ? Kind::integer
                                      : Kind::real),
        integer_(static_cast<int64_t>(value)),
        real_(static_cast<double>(value)) {}
  Scalar(Half value) : Scalar(static_cast<float>(value)) {}
  Scalar(BFloat16 value) : Scalar(static_cast<float>(value)) {}
  bool isFloatingPoint() const { return kind_ == Kind::real; }
  bool isIntegral(bool with_bool) const { return kind_ == Kind::integer || (with_bool && isBoolean()); }
  bool isBoolean() const { return kind_ == Kind::boolean; }
  template <class T>
  T to() const {
    return kind_ == Kind::real ? static_cast<T>(real_) : static_cast<T>(integer_);
  }
  double toDouble() const { return to<double>(); }
  float toFloat() const { return to<float>(); }
  int64_t toLong() const { return to<int64_t>(); }
  int toInt() const { return to<int>(); }
  bool toBool() const { return to<bool>(); }

 private:
  enum class Kind : int8_t { boolean, integer, real } kind_;
  int64_t integer_;
  double real_;
};

}  // namespace c10
