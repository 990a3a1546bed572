// The loops that write numbers, against the text that a GPU compiles too, one number at a time; and their
// roundings against torch's.
#include "engine/verifier/number_blocks.hpp"

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "engine/verifier/draw.hpp"
#include "engine/verifier/elements.hpp"

namespace ridgeline::verifier {
namespace {

using numbers::Generation, numbers::NumberDraw, numbers::NumberType;

/// Writes the same numbers as write_numbers, one by one, in this file's plain code.
template <NumberType type, NumberDraw draw>
void expect_one_by_one(double low) {
  using T = typename numbers::Stored<type>::Type;
  const Generation given{.key = 77,
                         .digits_key = 78,
                         .low = low,
                         .high = 3,
                         .top = 3.25,
                         .range = draw == NumberDraw::bernoulli ? std::uint64_t{1} << 30 : 3,
                         .type = type,
                         .draw = draw};
  constexpr std::uint64_t first = 3 * kNumbersTogether, count = kNumbersTogether + 77;
  std::vector<T> written(count + 1, T{42});
  write_numbers(given, first, count, written.data());
  for (std::uint64_t i = 0; i < count; ++i) {
    const T expected =
        numbers::number_of<type, draw>(given, first + i, numbers::word32(given.key, first + i));
    ASSERT_EQ(std::memcmp(&written[i], &expected, sizeof expected), 0)
        << static_cast<unsigned>(type) << " " << static_cast<unsigned>(draw) << " at " << i;
  }
  EXPECT_EQ(written[count], T{42}) << "behind the end";
}

template <NumberType type>
void expect_every_draw() {
  expect_one_by_one<type, NumberDraw::normal>(0.5);
  expect_one_by_one<type, NumberDraw::uniform>(0.5);
  expect_one_by_one<type, NumberDraw::bernoulli>(0);
  expect_one_by_one<type, NumberDraw::constant>(1);
}

TEST(NumberBlocks, HaveTheBitsOfTheSharedTextForEveryTypeAndDraw) {
  expect_every_draw<NumberType::f64>();
  expect_every_draw<NumberType::f32>();
  expect_every_draw<NumberType::f16>();
  expect_every_draw<NumberType::bf16>();
  expect_every_draw<NumberType::i64>();
  expect_every_draw<NumberType::i32>();
  expect_every_draw<NumberType::i16>();
  expect_every_draw<NumberType::i8>();
  expect_every_draw<NumberType::u8>();
  expect_every_draw<NumberType::boolean>();
}

TEST(NumberBlocks, RoundToHalfAndBFloat16AsTorchDoes) {
  const auto expect_same = [](float x) {
    ASSERT_EQ(numbers::half_bits(x), c10::Half(x).x) << x;
    ASSERT_EQ(numbers::bfloat16_bits(x), c10::BFloat16(x).x) << x;
  };
  for (std::uint64_t bits = 0; bits < 0x7F800000; bits += 1009) {
    expect_same(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    expect_same(-std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  // Every half, what lies halfway to the next, and its neighbours.
  for (std::uint16_t bits = 0; bits < 0x7BFF; ++bits) {
    const float x = c10::Half(bits, c10::Half::from_bits()),
                next = c10::Half(static_cast<std::uint16_t>(bits + 1), c10::Half::from_bits());
    const float middle = (x + next) / 2;
    for (const float near : {x, middle, std::nextafter(middle, x), std::nextafter(middle, next)})
      expect_same(near);
  }
}

TEST(NumberBlocks, AUniformFloatIsNeverZeroAndReachesItsBoundOnlyByRounding) {
  EXPECT_GT(numbers::unit_of(0), 0);
  EXPECT_EQ(numbers::unit_of(0xFFFFFFFFU), 1.0F);
  EXPECT_EQ(numbers::narrow_uniform({.low = 0, .high = 1, .top = 0.875}, 0xFFFFFFFFU), 0.875F);
}

double correlation_of(std::span<const float> a, std::span<const float> b) {
  double product = 0, of_a = 0, of_b = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    product += static_cast<double>(a[i]) * b[i];
    of_a += static_cast<double>(a[i]) * a[i];
    of_b += static_cast<double>(b[i]) * b[i];
  }
  return product / std::sqrt(of_a * of_b);
}

TEST(NumberBlocks, SequencesOfTwoKeysAreIndependentAtEveryShift) {
  constexpr std::size_t count = 1 << 20;
  std::vector<float> one(count), two(count);
  write_numbers({.key = 1, .high = 1, .draw = NumberDraw::normal}, 0, count, one.data());
  write_numbers({.key = 2, .high = 1, .draw = NumberDraw::normal}, 0, count, two.data());
  const double most = 5 / std::sqrt(static_cast<double>(count)) * 1.05;
  const std::span a(one), b(two);
  EXPECT_LT(std::fabs(correlation_of(a, b)), most);
  for (const std::size_t shift : {1, 2, 4, 1024, 65536}) {
    EXPECT_LT(std::fabs(correlation_of(a.subspan(shift), a)), most) << shift;
    EXPECT_LT(std::fabs(correlation_of(a.subspan(shift), b)), most) << shift;
  }
}

TEST(NumberBlocks, RangesBeyondAWordAreCoveredEvenly) {
  constexpr std::uint64_t range = std::uint64_t{3} << 40;
  std::vector<std::int64_t> drawn(1 << 16);
  write_numbers({.key = 5, .low = -7, .range = range, .type = NumberType::i64, .draw = NumberDraw::uniform},
                0, drawn.size(), drawn.data());
  double sum = 0;
  for (const auto x : drawn) {
    ASSERT_GE(x, -7);
    ASSERT_LT(x, static_cast<std::int64_t>(range) - 7);
    sum += static_cast<double>(x) / static_cast<double>(range);
  }
  EXPECT_NEAR(sum / static_cast<double>(drawn.size()), 0.5, 5 * 0.29 / 256);
}

TEST(NumberBlocks, FollowFromAPlanOfEveryIndependentDraw) {
  DrawPlan plan{.name = "x", .dtype = DType::bfloat16, .draw = Draw::uniform, .low = -1, .high = 1};
  const Random random(3, 4);
  const auto uniform = generation_of(plan, random);
  EXPECT_EQ(uniform.key, random.key());
  EXPECT_EQ(uniform.high, 2) << "the distance from the lower bound";
  EXPECT_EQ(uniform.top, next_below(DType::bfloat16, 1));
  plan.dtype = DType::int32;
  EXPECT_EQ(generation_of(plan, random).range, 2U);
  plan.draw = Draw::bernoulli;
  EXPECT_EQ(generation_of(plan, random).range, std::uint64_t{1} << 32) << "always a 1";
  plan.dtype = DType::complex64;
  plan.draw = Draw::normal;
  EXPECT_EQ(generation_of(plan, random).type, NumberType::f32) << "two numbers an element";
  EXPECT_NE(generation_of(plan, random).digits_key, random.key());
}

}  // namespace
}  // namespace ridgeline::verifier
