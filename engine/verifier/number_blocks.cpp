#include "engine/verifier/number_blocks.hpp"

#include <algorithm>
#include <cstring>

namespace ridgeline::verifier {
namespace {

using numbers::Generation, numbers::NumberDraw, numbers::NumberType;

constexpr auto kBlock = kNumbersTogether;

// Blocks are of one length, so that loops need no remainder; they fit into the first-level cache.
struct BlockWords {
  alignas(64) std::uint64_t pairs[kBlock / 2];
  alignas(64) std::uint32_t words[kBlock];
  alignas(64) float normals[kBlock];
};

/// Standard normal numbers of all words. Few lie in a tail, and a loop without branches takes more at once.
[[gnu::always_inline]] inline void make_normals(BlockWords& room) {
  for (std::uint64_t i = 0; i < kBlock; ++i) room.normals[i] = numbers::central_normal_of(room.words[i]);
  constexpr std::uint64_t together = 32;
  for (std::uint64_t first = 0; first < kBlock; first += together) {
    std::uint32_t any = 0;
    for (std::uint64_t i = first; i < first + together; ++i) any |= numbers::may_be_in_a_tail(room.words[i]);
    if (any == 0) continue;
    for (std::uint64_t i = first; i < first + together; ++i)
      if (numbers::may_be_in_a_tail(room.words[i])) room.normals[i] = numbers::normal_of(room.words[i]);
  }
}

template <NumberType type, NumberDraw draw>
[[gnu::always_inline]] inline void write_as(const Generation& given, std::uint64_t first, BlockWords& room,
                                            void* out) {
  const Generation generation = given;  // a copy: for all the compiler knows, `out` may be `given`
  if constexpr (draw != NumberDraw::constant) {
    for (std::uint64_t i = 0; i < kBlock / 2; ++i)
      room.pairs[i] = numbers::word64(generation.key, first / 2 + i);
    std::memcpy(room.words, room.pairs, sizeof room.pairs);  // little-endian: the lower half comes first
  }
  auto* to = static_cast<typename numbers::Stored<type>::Type*>(out);
  if constexpr (draw == NumberDraw::normal && type != NumberType::boolean) {
    make_normals(room);
    for (std::uint64_t i = 0; i < kBlock; ++i)
      to[i] = numbers::from_normal<type>(generation, first + i, room.normals[i]);
  } else {
    for (std::uint64_t i = 0; i < kBlock; ++i)
      to[i] = numbers::number_of<type, draw>(generation, first + i, room.words[i]);
  }
}

template <NumberType type>
[[gnu::always_inline]] inline void write_typed(const Generation& given, std::uint64_t first, BlockWords& room,
                                               void* out) {
  switch (given.draw) {
    case NumberDraw::normal:
      return write_as<type, NumberDraw::normal>(given, first, room, out);
    case NumberDraw::uniform:
      return write_as<type, NumberDraw::uniform>(given, first, room, out);
    case NumberDraw::bernoulli:
      return write_as<type, NumberDraw::bernoulli>(given, first, room, out);
    case NumberDraw::constant:
      return write_as<type, NumberDraw::constant>(given, first, room, out);
  }
}

[[gnu::always_inline]] inline void write_any(const Generation& given, std::uint64_t first, void* out) {
  BlockWords room;
  switch (given.type) {
    case NumberType::f64:
      return write_typed<NumberType::f64>(given, first, room, out);
    case NumberType::f32:
      return write_typed<NumberType::f32>(given, first, room, out);
    case NumberType::f16:
      return write_typed<NumberType::f16>(given, first, room, out);
    case NumberType::bf16:
      return write_typed<NumberType::bf16>(given, first, room, out);
    case NumberType::i64:
      return write_typed<NumberType::i64>(given, first, room, out);
    case NumberType::i32:
      return write_typed<NumberType::i32>(given, first, room, out);
    case NumberType::i16:
      return write_typed<NumberType::i16>(given, first, room, out);
    case NumberType::i8:
      return write_typed<NumberType::i8>(given, first, room, out);
    case NumberType::u8:
      return write_typed<NumberType::u8>(given, first, room, out);
    case NumberType::boolean:
      return write_typed<NumberType::boolean>(given, first, room, out);
  }
}

// One text for several machines; all give the same bits. The plain one calls a function for each fma where
// the machine has no instruction for it, and is a hundred times slower.
void write_plain(const Generation& given, std::uint64_t first, void* out) {
  write_any(given, first, out);
}
#if defined(__x86_64__)
[[gnu::target("arch=x86-64-v3")]] void write_with_avx2(const Generation& given, std::uint64_t first,
                                                       void* out) {
  write_any(given, first, out);
}
[[gnu::target("arch=x86-64-v4")]] void write_with_avx512(const Generation& given, std::uint64_t first,
                                                         void* out) {
  write_any(given, first, out);
}
#endif

using WriteBlock = void (*)(const Generation& given, std::uint64_t first, void* out);

WriteBlock widest_writer() {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi");
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd"))
    return write_with_avx512;
  if (avx2) return write_with_avx2;
#endif
  return write_plain;
}

}  // namespace

void write_numbers(const Generation& generation, std::uint64_t first, std::uint64_t count, void* out) {
  static const WriteBlock write_block = widest_writer();
  const auto size = size_of(generation.type);
  auto* to = static_cast<std::byte*>(out);
  std::uint64_t done = 0;
  for (; done + kBlock <= count; done += kBlock) write_block(generation, first + done, to + done * size);
  if (done == count) return;
  alignas(64) std::byte last[kBlock * sizeof(std::uint64_t)];
  write_block(generation, first + done, last);
  std::memcpy(to + done * size, last, (count - done) * size);
}

}  // namespace ridgeline::verifier
