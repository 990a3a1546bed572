// Tests the parts that need no tensors: random numbers, element types, scans, distances, tests of randomness.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/verifier/elements.hpp"
#include "engine/verifier/number_blocks.hpp"
#include "engine/verifier/poison.hpp"
#include "engine/verifier/probabilities.hpp"
#include "engine/verifier/quantization.hpp"
#include "engine/verifier/random.hpp"
#include "engine/verifier/randomness.hpp"
#include "engine/verifier/scan.hpp"

namespace ridgeline::verifier {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan_value = std::nan("");

std::vector<float> normals(std::uint64_t seed, std::size_t count) {
  std::vector<float> out(count);
  const numbers::Generation generation{
      .key = Random(seed, 0).key(), .high = 1, .draw = numbers::NumberDraw::normal};
  write_numbers(generation, 0, count, out.data());
  return out;
}

TEST(Random, NormalNumbersHaveTheMomentsAndTailsOfTheNormalDistribution) {
  const auto values = normals(3, 1 << 20);
  double sums[5] = {};
  for (const double x : values)
    for (int power = 1; power <= 4; ++power)
      sums[power] += std::pow(x, power) / static_cast<double>(values.size());
  EXPECT_NEAR(sums[1], 0, 0.005);
  EXPECT_NEAR(sums[2], 1, 0.01);
  EXPECT_NEAR(sums[3], 0, 0.02);
  EXPECT_NEAR(sums[4], 3, 0.06);
  const auto beyond_four =
      std::count_if(values.begin(), values.end(), [](float x) { return std::fabs(x) > 4; });
  EXPECT_NEAR(static_cast<double>(beyond_four), 66, 40);  // 6.3e-5 of them
}

TEST(Random, ExtremeWordsAreFiniteAndSymmetric) {
  EXPECT_NEAR(numbers::normal_of(0), 6.3, 0.2);
  EXPECT_EQ(numbers::normal_of(0xFFFFFFFFU), -numbers::normal_of(0));
  EXPECT_NEAR(numbers::normal_of(0x7FFFFFFFU), 0, 1e-6);
}

TEST(Random, StreamsDependOnSeedAndStream) {
  EXPECT_EQ(Random(1, 2).bits(5), Random(1, 2).bits(5));
  EXPECT_NE(Random(1, 2).bits(5), Random(1, 3).bits(5));
  EXPECT_NE(Random(1, 2).bits(5), Random(2, 2).bits(5));
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_LT(Random(1, 2).below(i, 7), 7U);
}

TEST(Elements, LimitsAreThoseOfTheDtype) {
  EXPECT_EQ(largest(DType::float64), std::numeric_limits<double>::max());
  EXPECT_EQ(largest(DType::complex64), std::numeric_limits<float>::max());
  EXPECT_EQ(largest(DType::float16), 65504);
  EXPECT_EQ(lowest(DType::float16), -65504);
  EXPECT_EQ(smallest_normal(DType::complex64), std::numeric_limits<float>::min());
  EXPECT_EQ(smallest_normal(DType::float64), std::numeric_limits<double>::min());
}

template <class T>
void expect_limits_of_integers(DType dtype) {
  EXPECT_EQ(largest(dtype), static_cast<double>(std::numeric_limits<T>::max()));
  EXPECT_EQ(lowest(dtype), static_cast<double>(std::numeric_limits<T>::min()));
}

TEST(Elements, LimitsOfIntegersAreInTheirRange) {
  expect_limits_of_integers<std::int32_t>(DType::int32);
  expect_limits_of_integers<std::int16_t>(DType::int16);
  expect_limits_of_integers<std::int8_t>(DType::int8);
  expect_limits_of_integers<std::uint8_t>(DType::uint8);
  expect_limits_of_integers<bool>(DType::boolean);
  // The largest int64 is no double, and the next double, 2^63, is out of range.
  EXPECT_EQ(from_double<std::int64_t>(largest(DType::int64)),
            std::numeric_limits<std::int64_t>::max() - 1023);
  EXPECT_EQ(std::nextafter(largest(DType::int64), inf), 0x1p63);
  EXPECT_EQ(from_double<std::int64_t>(lowest(DType::int64)), std::numeric_limits<std::int64_t>::min());
}

TEST(Elements, NextBelowIsTheLargestNumberBelowTheBound) {
  EXPECT_EQ(next_below(DType::float32, 1), std::nextafter(1.0F, 0.0F));
  EXPECT_EQ(next_below(DType::float64, 3), std::nextafter(3.0, 0.0));
  EXPECT_EQ(next_below(DType::bfloat16, 1), 1 - 0x1p-8);
  EXPECT_EQ(next_below(DType::float16, -1), -1 - 0x1p-10);
  EXPECT_EQ(next_below(DType::float32, 0), -smallest_normal(DType::float32));
  EXPECT_EQ(next_below(DType::float32, 1 + 0x1p-40), 1);
}

TEST(Elements, RoundToDigitsRoundsTiesToEven) {
  EXPECT_EQ(round_to_digits(1 + 0x1p-11, 11), 1);
  EXPECT_EQ(round_to_digits(1 + 3 * 0x1p-11, 11), 1 + 0x1p-9);
  EXPECT_EQ(round_to_digits(0.1F, 24), static_cast<double>(0.1F));
  EXPECT_EQ(round_to_digits(-inf, 8), -inf);
}

TEST(Poison, IsRecognizedInEveryDtypeAndDiffersFromComputedNaN) {
  for (const auto& [dtype, name] : enum_names(DType{})) {
    alignas(16) unsigned char element[16];
    poison(dtype, element, size_of(dtype));
    EXPECT_TRUE(is_poison(dtype, element)) << name;
    element[0] ^= 1;
    EXPECT_FALSE(is_poison(dtype, element)) << name;
  }
  const float computed = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(is_poison(DType::float32, &computed));
}

ScanResult scan_floats(const std::vector<float>& got, const std::vector<double>& oracle,
                       const std::vector<double>& tolerance, const std::vector<float>& own = {}) {
  return scan({DType::float32, static_cast<std::int64_t>(got.size()), got.data(), oracle.data(),
               tolerance.data(), own.empty() ? nullptr : own.data()},
              nullptr);
}

TEST(Scan, ErrorsAreMeasuredAgainstTheTolerance) {
  const auto result = scan_floats({1, 2, 3.5F}, {1, 2.5, 3}, {0.1, 1, 0.25});
  EXPECT_EQ(result.wrong, 1);
  EXPECT_DOUBLE_EQ(result.worst_absolute, 0.5);
  EXPECT_DOUBLE_EQ(result.worst_ratio, 2);
  EXPECT_DOUBLE_EQ(result.tolerance_at_worst, 0.25);
}

TEST(Scan, NaNEqualsNaNAndInfinityTheSameInfinity) {
  const auto nan_float = std::numeric_limits<float>::quiet_NaN();
  const auto inf_float = std::numeric_limits<float>::infinity();
  EXPECT_EQ(scan_floats({nan_float, inf_float}, {nan_value, inf}, {1, 1}).wrong, 0);
  EXPECT_EQ(scan_floats({inf_float, nan_float, 1, 1}, {nan_value, inf, nan_value, inf}, {1, 1, 1, 1}).wrong,
            4);
  EXPECT_EQ(scan_floats({-inf_float}, {inf}, {1}).wrong, 1);
}

TEST(Scan, AnInfinityIsRightWhereTheOracleOverflowsTheDtype) {
  const auto inf_float = std::numeric_limits<float>::infinity();
  EXPECT_EQ(scan_floats({inf_float}, {1e39}, {1}).wrong, 0);
  EXPECT_EQ(scan_floats({-inf_float}, {1e39}, {1}).wrong, 1);
  EXPECT_EQ(scan_floats({inf_float}, {1e37}, {1e30}).wrong, 1);
}

TEST(Scan, AnUndecidedElementAcceptsAnything) {
  EXPECT_EQ(scan_floats({std::numeric_limits<float>::quiet_NaN(), 5}, {1, 1}, {inf, inf}).wrong, 0);
}

TEST(Scan, WithoutToleranceValuesMustBeEqualInTheirDtype) {
  const float got[] = {0.1F, -0.0F, 0.1F};
  const double oracle[] = {0.1, 0.0, 0.2};
  EXPECT_EQ(scan({DType::float32, 3, got, oracle, nullptr, nullptr}, nullptr).wrong, 1);
  const std::int64_t a[] = {(std::int64_t{1} << 53) + 1}, b[] = {std::int64_t{1} << 53};
  EXPECT_EQ(scan({DType::int64, 1, a, b, nullptr, nullptr}, nullptr).wrong, 1);
}

TEST(Scan, ComplexErrorsAreMeasuredInThePlane) {
  const float got[] = {3, 4};
  const double oracle[] = {0, 0}, enough[] = {5.1}, little[] = {4.9};
  EXPECT_EQ(scan({DType::complex64, 1, got, oracle, enough, nullptr}, nullptr).wrong, 0);
  EXPECT_EQ(scan({DType::complex64, 1, got, oracle, little, nullptr}, nullptr).wrong, 1);
}

TEST(Quantization, ComputesTheDistancesOfKnownVectors) {
  const std::vector<double> plain{3, 4}, got{3, 5};
  const auto d = quantization_distance(got, plain);
  EXPECT_NEAR(d.cosine, 29 / (5 * std::sqrt(34.0)), 1e-12);
  EXPECT_NEAR(d.relative_l1, 1.0 / 7, 1e-12);
  EXPECT_NEAR(d.rmse, std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(d.sqnr_db, 10 * std::log10(25.0), 1e-12);
}

TEST(Quantization, AcceptsTiesOnlyIfTheyAreFewAndSmall) {
  const std::vector<double> oracle(100, 1.0), tolerance(100, 0.01);
  std::vector<double> got(100, 1.0);
  std::vector<std::uint8_t> wrong(100, 0);
  got[3] = 1.2;
  wrong[3] = 1;
  EXPECT_TRUE(only_ties(got, oracle, tolerance, wrong, 0.02, 0.25));
  EXPECT_FALSE(only_ties(got, oracle, tolerance, wrong, 0.02, 0.1));
  got[4] = got[5] = 1.2;
  wrong[4] = wrong[5] = 1;
  EXPECT_FALSE(only_ties(got, oracle, tolerance, wrong, 0.02, 0.25));
}

class Randomness : public testing::Test {
 protected:
  static constexpr int count = 15;
  static constexpr std::size_t n = 4096;
  Randomness() {
    for (std::uint64_t k = 0; k < count; ++k)
      for (const float x : normals(100 + k, n)) draws.push_back(x);
  }
  bool passes(const std::vector<double>& got) const { return check_random(got, {draws, count}, 1e-6).ok; }
  std::vector<double> draws;
};

TEST_F(Randomness, OtherDrawsOfTheSameProcessPass) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto values = normals(seed, n);
    const auto found = check_random(std::vector<double>(values.begin(), values.end()), {draws, count}, 1e-6);
    EXPECT_TRUE(found.ok) << seed << ": " << found.detail;
  }
}

TEST_F(Randomness, ConstantsRampsAndOtherDistributionsFail) {
  EXPECT_FALSE(passes(std::vector<double>(n, 0)));
  std::vector<double> own(draws.begin(), draws.begin() + n), sorted = own, wide = own, moved = own,
                                                             uniform = own;
  std::sort(sorted.begin(), sorted.end());
  for (auto& x : wide) x *= 1.2;
  for (auto& x : moved) x += 0.2;
  for (std::size_t i = 0; i < n; ++i) uniform[i] = std::sqrt(12.0) * (Random(5, 5).unit(i) - 0.5);
  EXPECT_FALSE(passes(sorted));
  EXPECT_FALSE(passes(wide));
  EXPECT_FALSE(passes(moved));
  EXPECT_FALSE(passes(uniform));
}

TEST(Probabilities, MatchPublishedValues) {
  EXPECT_NEAR(bernstein_p(5, 1, 0), 2 * std::exp(-12.5), 1e-12);
  EXPECT_NEAR(bernstein_p(-5, 1, 3), 2 * std::exp(-25.0 / 12), 1e-12);
  EXPECT_EQ(bernstein_p(0, 0, 0), 1);
  EXPECT_NEAR(poisson_p(0, 3), std::exp(-3.0), 1e-12);
  EXPECT_NEAR(poisson_p(2, 3), 0.42319, 1e-5);
  EXPECT_NEAR(student_p(2.144787, 14), 0.05, 1e-6);
  EXPECT_NEAR(student_p(-8.0, 14), 1.37e-6, 1e-8);
  EXPECT_EQ(student_p(INFINITY, 14), 0);
  EXPECT_NEAR(chi_squared_p(24.99579, 15), 0.05, 1e-6);
  EXPECT_NEAR(kolmogorov_p(1.358 / std::sqrt(5e5), 1e6, 1e6), 0.05, 0.001);
  EXPECT_EQ(kolmogorov_p(0, 100, 100), 1);
}

}  // namespace
}  // namespace ridgeline::verifier
