// c10::Half and c10::BFloat16: 16 bits, computed in float as the originals are. Without cuda_fp16.h and
// cuda_bf16.h, which cost a third of a second a build; they convert to CUDA's types where a source has those.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __CUDACC__
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#else
#define C10_HOST_DEVICE
#define C10_DEVICE
#define C10_HOST
#endif

namespace torch_slim {

template <class To, class From>
C10_HOST_DEVICE inline To bits_as(From from) {
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

C10_HOST_DEVICE inline float half_to_float(uint16_t bits) {
#ifdef __CUDA_ARCH__
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
#else
  // Exponent and mantissa moved up and scaled by 2^112, which also makes subnormal halves right.
  const uint32_t sign = uint32_t(bits & 0x8000) << 16, rest = uint32_t(bits & 0x7fff) << 13;
  if ((bits & 0x7c00) == 0x7c00) return bits_as<float>(sign | 0x7f800000u | rest);
  return bits_as<float>(sign | bits_as<uint32_t>(bits_as<float>(rest) * 0x1p112f));
#endif
}

C10_HOST_DEVICE inline uint16_t float_to_half(float value) {
#ifdef __CUDA_ARCH__
  uint16_t bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  const uint32_t all = bits_as<uint32_t>(value), sign = all >> 16 & 0x8000, rest = all & 0x7fffffff;
  if (rest > 0x7f800000) return uint16_t(sign | 0x7e00);
  if (rest >= 0x477ff000) return uint16_t(sign | 0x7c00);
  if (rest < 0x38800000)  // subnormal: the addition rounds to a multiple of 2^-24
    return uint16_t(sign | (bits_as<uint32_t>(bits_as<float>(rest) + 0.5f) & 0x7ff));
  return uint16_t(sign | ((rest - 0x38000000 + 0xfff + (rest >> 13 & 1)) >> 13));
#endif
}

C10_HOST_DEVICE inline uint16_t float_to_bfloat16(float value) {
  const uint32_t all = bits_as<uint32_t>(value);
  return (all & 0x7fffffff) > 0x7f800000 ? 0x7fc0 : uint16_t((all + 0x7fff + (all >> 16 & 1)) >> 16);
}

}  // namespace torch_slim

namespace c10 {

struct alignas(2) Half {
  uint16_t x;
  struct from_bits_t {};
  static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return {}; }
  Half() = default;
  constexpr C10_HOST_DEVICE Half(uint16_t bits, from_bits_t) : x(bits) {}
  C10_HOST_DEVICE Half(float value) : x(torch_slim::float_to_half(value)) {}
  C10_HOST_DEVICE operator float() const { return torch_slim::half_to_float(x); }
#ifdef __CUDA_FP16_H__
  C10_HOST_DEVICE Half(const __half& value) : x(torch_slim::bits_as<uint16_t>(value)) {}
  C10_HOST_DEVICE operator __half() const { return torch_slim::bits_as<__half>(x); }
#endif
};

struct alignas(2) BFloat16 {
  uint16_t x;
  struct from_bits_t {};
  static constexpr C10_HOST_DEVICE from_bits_t from_bits() { return {}; }
  BFloat16() = default;
  constexpr C10_HOST_DEVICE BFloat16(uint16_t bits, from_bits_t) : x(bits) {}
  C10_HOST_DEVICE BFloat16(float value) : x(torch_slim::float_to_bfloat16(value)) {}
  C10_HOST_DEVICE operator float() const { return torch_slim::bits_as<float>(uint32_t(x) << 16); }
#ifdef __CUDA_BF16_H__
  C10_HOST_DEVICE BFloat16(const __nv_bfloat16& value) : x(torch_slim::bits_as<uint16_t>(value)) {}
  C10_HOST_DEVICE operator __nv_bfloat16() const { return torch_slim::bits_as<__nv_bfloat16>(x); }
#endif
};

#define TORCH_SLIM_OPERATOR(T, op)                              \
  C10_HOST_DEVICE inline T operator op(T a, T b) {              \
    return T(float(a) op float(b));                             \
  }                                                             \
  C10_HOST_DEVICE inline T& operator op##=(T & a, T b) {        \
    return a = a op b;                                          \
  }                                                             \
  C10_HOST_DEVICE inline float operator op(T a, float b) {      \
    return float(a) op b;                                       \
  }                                                             \
  C10_HOST_DEVICE inline float operator op(float a, T b) {      \
    return a op float(b);                                       \
  }                                                             \
  C10_HOST_DEVICE inline float& operator op##=(float& a, T b) { \
    return a op## = float(b);                                   \
  }                                                             \
  C10_HOST_DEVICE inline double operator op(T a, double b) {    \
    return double(float(a)) op b;                               \
  }                                                             \
  C10_HOST_DEVICE inline double operator op(double a, T b) {    \
    return a op double(float(b));                               \
  }                                                             \
  C10_HOST_DEVICE inline T operator op(T a, int b) {            \
    return a op T(float(b));                                    \
  }                                                             \
  C10_HOST_DEVICE inline T operator op(int a, T b) {            \
    return T(float(a)) op b;                                    \
  }                                                             \
  C10_HOST_DEVICE inline T operator op(T a, int64_t b) {        \
    return a op T(float(b));                                    \
  }                                                             \
  C10_HOST_DEVICE inline T operator op(int64_t a, T b) {        \
    return T(float(a)) op b;                                    \
  }
#define TORCH_SLIM_ARITHMETIC(T)                                                                \
  TORCH_SLIM_OPERATOR(T, +)                                                                     \
  TORCH_SLIM_OPERATOR(T, -)                                                                     \
  TORCH_SLIM_OPERATOR(T, *) TORCH_SLIM_OPERATOR(T, /) C10_HOST_DEVICE inline T operator-(T a) { \
    return T(-float(a));                                                                        \
  }
TORCH_SLIM_ARITHMETIC(Half)
TORCH_SLIM_ARITHMETIC(BFloat16)
#undef TORCH_SLIM_ARITHMETIC
#undef TORCH_SLIM_OPERATOR

}  // namespace c10
