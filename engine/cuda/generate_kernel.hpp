// The source of the kernel of jobs.hpp that draws numbers: plain CUDA C++ for NVRTC, without headers. It
// comes behind kChunksOfJobs, kNumbersBegin and engine/core/draw_numbers.inc.
#pragma once

namespace ridgeline::cuda {

inline constexpr const char* kNumbersBegin = R"text(
#define RIDGELINE_NUMBERS __device__ __forceinline__
__device__ __forceinline__ float float_of_bits(unsigned bits) { return __uint_as_float(bits); }
__device__ __forceinline__ unsigned bits_of_float(float x) { return __float_as_uint(x); }
__device__ __forceinline__ unsigned long long high_product(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
)text";

// A thread writes 16 bytes at once, each of whose numbers is a function of its place alone. What is drawn
// most has code of its own, all unrolled; the rest chooses by the number, so that compiling stays short.
inline constexpr const char* kGenerateKernel = R"text(
struct GenerateJob { u64 to, count; Generation numbers; };

__device__ u64 stored(double x) { return (u64)__double_as_longlong(x); }
__device__ u64 stored(float x) { return __float_as_uint(x); }
__device__ u64 stored(unsigned short x) { return x; }
__device__ u64 stored(long long x) { return (u64)x; }
__device__ u64 stored(int x) { return (unsigned)x; }
__device__ u64 stored(short x) { return (unsigned short)x; }
__device__ u64 stored(signed char x) { return (u8)x; }
__device__ u64 stored(u8 x) { return x; }

/// The bits of number i, for a type and a draw that are known when it runs.
template <NumberType type>
__device__ u64 bits_as(const Generation& given, u64 i, Word32 word, float normal, double other) {
  const typename Stored<type>::Type value = given.draw == NumberDraw::normal ? from_normal<type>(given, i, normal)
      : given.draw == NumberDraw::uniform ? from_uniform<type>(given, i, word) : from_double<type>(other);
  return type == NumberType::boolean ? value != 0 : stored(value);
}
__device__ __noinline__ u64 bits_of_number(const Generation& given, u64 i, Word32 word) {
  const float normal = given.draw == NumberDraw::normal ? normal_of(word) : 0.0f;
  const double other = given.draw == NumberDraw::bernoulli ? (word < given.range ? 1.0 : 0.0) : given.low;
  switch (given.type) {
    case NumberType::f64: return bits_as<NumberType::f64>(given, i, word, normal, other);
    case NumberType::f32: return bits_as<NumberType::f32>(given, i, word, normal, other);
    case NumberType::f16: return bits_as<NumberType::f16>(given, i, word, normal, other);
    case NumberType::bf16: return bits_as<NumberType::bf16>(given, i, word, normal, other);
    case NumberType::i64: return bits_as<NumberType::i64>(given, i, word, normal, other);
    case NumberType::i32: return bits_as<NumberType::i32>(given, i, word, normal, other);
    case NumberType::i16: return bits_as<NumberType::i16>(given, i, word, normal, other);
    case NumberType::i8: return bits_as<NumberType::i8>(given, i, word, normal, other);
    case NumberType::u8: return bits_as<NumberType::u8>(given, i, word, normal, other);
    default: return bits_as<NumberType::boolean>(given, i, word, normal, other);
  }
}

__device__ int bytes_of(NumberType type) {
  switch (type) {
    case NumberType::f64: case NumberType::i64: return 8;
    case NumberType::f32: case NumberType::i32: return 4;
    case NumberType::f16: case NumberType::bf16: case NumberType::i16: return 2;
    default: return 1;
  }
}

/// Writes a piece, or holds what lies there against it and lowers `lowest` to the first byte that differs.
__device__ void settle(u8* to, u64 at, ulonglong2 drawn, bool check, u64& lowest) {
  ulonglong2* const place = (ulonglong2*)(to + at);
  if (!check) { *place = drawn; return; }
  const ulonglong2 seen = *place;
  const u64 x = seen.x ^ drawn.x, y = seen.y ^ drawn.y;
  if ((x | y) == 0) return;
  const u64 first = at + (x ? (__ffsll((long long)x) - 1) / 8 : 8 + (__ffsll((long long)y) - 1) / 8);
  if (first < lowest) lowest = first;
}
template <class T> __device__ void settle_one(u8* to, u64 at, u64 bits, bool check, u64& lowest) {
  if (!check) { *(T*)(to + at) = (T)bits; return; }
  const u64 x = (u64)*(const T*)(to + at) ^ (u64)(T)bits;
  if (x != 0 && at + (__ffsll((long long)x) - 1) / 8 < lowest) lowest = at + (__ffsll((long long)x) - 1) / 8;
}

/// The pieces from byte `begin` to `end`, both multiples of 16, of floats of 4 or 2 bytes.
template <int size, NumberDraw draw>
__device__ void pieces(const GenerateJob& job, u64 begin, u64 end, bool check, u64& lowest) {
  const Generation given = job.numbers;
  const auto bits = [&](Word32 word) {
    const float x =
        draw == NumberDraw::normal ? narrow_normal(given, normal_of(word)) : narrow_uniform(given, word);
    if (size == 4) return (u64)bits_of_float(x);
    return (u64)(given.type == NumberType::f16 ? half_bits(x) : bfloat16_bits(x));
  };
  for (u64 at = begin + 16 * threadIdx.x; at < end; at += 16 * blockDim.x) {
    u64 half[2] = {0, 0};
    #pragma unroll
    for (int j = 0; j < 16 / size; j += 2) {
      const u64 pair = word64(given.key, (at / size + j) / 2);
      half[j * size / 8] |= bits((Word32)pair) << (8 * size * j % 64);
      half[j * size / 8] |= bits((Word32)(pair >> 32)) << (8 * size * (j + 1) % 64);
    }
    settle((u8*)job.to, at, make_ulonglong2(half[0], half[1]), check, lowest);
  }
}
__device__ void any_pieces(const GenerateJob& job, int size, u64 begin, u64 end, bool check, u64& lowest) {
  for (u64 at = begin + 16 * threadIdx.x; at < end; at += 16 * blockDim.x) {
    const u64 base = at / size;
    u64 low = 0, high = 0;
    #pragma unroll 1
    for (int j = 0; j < 16 / size; ++j) {
      const u64 bits = bits_of_number(job.numbers, base + j, word32(job.numbers.key, base + j));
      const int place = 8 * size * j;
      if (place < 64) low |= bits << place; else high |= bits << (place - 64);
    }
    settle((u8*)job.to, at, make_ulonglong2(low, high), check, lowest);
  }
}

extern "C" __global__ void generate(const GenerateJob* jobs, const u64* first, int count, u64 chunks,
                                    u64* different) {
  for (u64 block = blockIdx.x; block < chunks; block += gridDim.x) {
    const int at = find(first, count, block);
    const GenerateJob& job = jobs[at];
    const NumberType type = job.numbers.type;
    const NumberDraw draw = job.numbers.draw;
    const int size = bytes_of(type);
    const bool check = different != nullptr;
    const u64 bytes = job.count * size, begin = (block - first[at]) * chunk;
    const u64 end = begin + chunk < bytes ? begin + chunk : bytes;
    const u64 wide_end = (job.to & 15) == 0 ? end & ~15ull : begin;
    u64 lowest = ~0ull;
    const bool narrow = type == NumberType::f32 || type == NumberType::f16 || type == NumberType::bf16;
    if (narrow && draw == NumberDraw::normal && size == 4)
      pieces<4, NumberDraw::normal>(job, begin, wide_end, check, lowest);
    else if (narrow && draw == NumberDraw::normal)
      pieces<2, NumberDraw::normal>(job, begin, wide_end, check, lowest);
    else if (narrow && draw == NumberDraw::uniform && size == 4)
      pieces<4, NumberDraw::uniform>(job, begin, wide_end, check, lowest);
    else if (narrow && draw == NumberDraw::uniform)
      pieces<2, NumberDraw::uniform>(job, begin, wide_end, check, lowest);
    else
      any_pieces(job, size, begin, wide_end, check, lowest);
    for (u64 i = wide_end / size + threadIdx.x; i < end / size; i += blockDim.x) {
      const u64 bits = bits_of_number(job.numbers, i, word32(job.numbers.key, i));
      u8* const to = (u8*)job.to;
      if (size == 8) settle_one<u64>(to, 8 * i, bits, check, lowest);
      else if (size == 4) settle_one<unsigned>(to, 4 * i, bits, check, lowest);
      else if (size == 2) settle_one<unsigned short>(to, 2 * i, bits, check, lowest);
      else settle_one<u8>(to, i, bits, check, lowest);
    }
    if (lowest != ~0ull) atomicMin(different + at, lowest);
  }
}
)text";

}  // namespace ridgeline::cuda
