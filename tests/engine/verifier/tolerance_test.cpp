#include "engine/verifier/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ridgeline::verifier {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

struct Derived {
  std::vector<double> tolerance, scale;
};

Derived derive(const Precision& precision, const std::vector<double>& oracle, const std::vector<double>& own,
               const std::vector<double>& first, const std::vector<double>& second) {
  Derived d{std::vector<double>(oracle.size()), std::vector<double>(oracle.size())};
  const auto n = static_cast<std::int64_t>(oracle.size());
  derive_tolerance(precision, {n, n, 1, oracle, own, first, second}, d.tolerance, d.scale);
  return d;
}

Precision plain(double reduction = 1) {
  return precision_of(DType::float32, reduction, InputSet::standard, 1, false);
}

TEST(Tolerance, IsNeverZeroNorNaN) {
  const std::vector<double> oracle{0, 1, -inf, std::nan(""), 1e-300, 1e300};
  const auto d = derive(plain(), oracle, oracle, oracle, oracle);
  for (const double t : d.tolerance) EXPECT_GT(t, 0);
}

TEST(Tolerance, GrowsWithRoundoffAndTheRootOfTheReductionLength) {
  const std::vector<double> one{1};
  const double u = 0x1p-24;
  EXPECT_NEAR(derive(plain(), one, one, one, one).tolerance[0], (8 + 4) * u, 1e-12);
  EXPECT_NEAR(derive(plain(4096), one, one, one, one).tolerance[0], (8 + 4 * 64) * u, 1e-12);
  const auto half = precision_of(DType::float16, 4096, InputSet::standard, 1, false);
  EXPECT_NEAR(derive(half, one, one, one, one).tolerance[0], 2 * 0x1p-11 + 256 * u + 0x1p-24, 1e-12);
}

TEST(Tolerance, FollowsTheMagnitudeOfCancelledTerms) {
  const std::vector<double> oracle{1e-6}, first{1e-6 + 100 * first_step}, second{1e-6 + 100 * second_step};
  const auto d = derive(plain(), oracle, oracle, first, second);
  EXPECT_NEAR(d.scale[0], 100, 1e-3);
  EXPECT_NEAR(d.tolerance[0], 12 * 100 * 0x1p-24, 1e-8);
}

TEST(Tolerance, IncludesTheReferencesErrorAtTheSameMagnitude) {
  std::vector<double> oracle{1, 1.5, 1000}, own = oracle;
  own[0] += 1e-3;
  const auto d = derive(plain(), oracle, own, oracle, oracle);
  EXPECT_NEAR(d.tolerance[0], 8e-3, 1e-5);
  EXPECT_NEAR(d.tolerance[1], 8e-3, 1e-5);
  own = oracle;
  own[2] += 1e-3;  // a large value's error says nothing about small ones
  EXPECT_LT(derive(plain(), oracle, own, oracle, oracle).tolerance[0], 1e-5);
}

TEST(Tolerance, RaisesAConditionThatIsSmallByChanceToItsNeighbours) {
  std::vector<double> oracle(64, 0.0), first(64, first_step), second(64, second_step);
  first[5] = 0.1 * first_step;
  second[5] = 0.1 * second_step;
  EXPECT_NEAR(derive(plain(100), oracle, oracle, first, second).scale[5], 1, 1e-9);
  EXPECT_NEAR(derive(plain(1), oracle, oracle, first, second).scale[5], 0.1, 1e-9);
}

TEST(Tolerance, AZeroThatNothingMovesHasTheConditionOfWhatMovesAround) {
  // max(x, 0): more than half are zeros, which perturbations of 2^-30 do not lift above 0.
  std::vector<double> oracle(64, 0.0), first(64, 0.0), second(64, 0.0);
  for (std::size_t i = 0; i < 20; ++i) {
    oracle[i] = 0.5;
    first[i] = 0.5 + 3 * first_step;
    second[i] = 0.5 + 3 * second_step;
  }
  for (const double reduction : {1.0, 100.0}) {
    const auto d = derive(plain(reduction), oracle, oracle, first, second);
    EXPECT_NEAR(d.scale[40], 3, 1e-6) << reduction;
    EXPECT_NEAR(d.tolerance[40], d.tolerance[3], 1e-3 * d.tolerance[3]) << reduction;
  }
}

TEST(Tolerance, HasNoConditionBelowWhatFloat64ShowsBesideItsNeighbours) {
  std::vector<double> oracle(64, 0.5), first(64, 0.5 + first_step), second(64, 0.5 + second_step);
  oracle[9] = first[9] = second[9] = 1e-37;
  std::vector<double> tolerance(64), scale(64);
  derive_tolerance(plain(), {64, 8, 1, oracle, oracle, first, second}, tolerance, scale);
  EXPECT_NEAR(scale[9], least_condition, 1e-3 * least_condition);
  derive_tolerance(plain(), {64, 64, 1, oracle, oracle, first, second}, tolerance, scale);
  EXPECT_LT(scale[9], 1e-30) << "one row says nothing of columns";
}

TEST(Tolerance, ZerosOfAnOutputThatNothingMovesHaveHardlyAny) {
  const std::vector<double> oracle(64, 0.0);
  EXPECT_LT(derive(plain(), oracle, oracle, oracle, oracle).tolerance[5], 1e-37);
}

TEST(Tolerance, AJumpFromZeroIsNoUnmovedZero) {
  std::vector<double> oracle(32, 2.0), moved = oracle;
  oracle[0] = 0;
  moved[0] = 1;
  EXPECT_LT(derive(plain(), oracle, oracle, moved, moved).tolerance[0], 1e-5);
}

TEST(Tolerance, IsInfiniteWhereTheOperatorIsUndecided) {
  const std::vector<double> oracle{std::nan(""), 2, std::nan("")}, own{std::nan(""), inf, std::nan("")};
  const std::vector<double> moved{1, 2, std::nan("")};
  const auto d = derive(plain(), oracle, own, moved, moved);
  EXPECT_EQ(d.tolerance[0], inf);  // 0/0 by an exact tie
  EXPECT_EQ(d.tolerance[1], inf);  // overflows in the task's dtype alone
  EXPECT_LT(d.tolerance[2], 1e-30);
}

TEST(Tolerance, AllowsAJumpOnlyWhereTheTasksDtypeLandsOnItsOtherSide) {
  std::vector<double> oracle(32, 2.0), own = oracle, moved = oracle;
  moved[0] = moved[1] = 1;
  own[1] = 1;
  const auto d = derive(plain(), oracle, own, moved, moved);
  EXPECT_LT(d.tolerance[0], 1e-5);
  EXPECT_GE(d.tolerance[1], 1);
  EXPECT_LT(d.tolerance[2], 1e-5);
}

TEST(Tolerance, AddsTheRoundingOfADeclaredIntermediate) {
  const auto plain = precision_of(DType::float32, 1, InputSet::edge, 1, false);
  const auto wide = precision_of(DType::float32, 1, InputSet::edge, 1, false, 8);
  EXPECT_DOUBLE_EQ(wide.floor - plain.floor, 8 * 0x1p-24);
  const auto half = precision_of(DType::float16, 1, InputSet::edge, 1, false, 8);
  EXPECT_DOUBLE_EQ(half.floor, 0x1p-24 + 8 * 0x1p-24) << "kernels in 16 bits compute in float32";
}

TEST(Tolerance, WidensToTheNextLowerPrecisionWhereAllowed) {
  const std::vector<double> one{1};
  const auto lower = precision_of(DType::float32, 1, InputSet::standard, 1, true);
  EXPECT_GT(derive(lower, one, one, one, one).tolerance[0], 0x1p-11);
  EXPECT_EQ(next_lower_roundoff(DType::float64), 0x1p-24);
  EXPECT_EQ(next_lower_roundoff(DType::bfloat16), 0x1p-4);
}

}  // namespace
}  // namespace ridgeline::verifier
