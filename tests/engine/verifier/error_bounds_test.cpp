// Bounds fitted to one draw, held against other draws: honest roundings pass, less precise work does not.
#include "engine/verifier/error_bounds.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

using Tensors = std::vector<at::Tensor>;

std::vector<OutputBounds> bounds_of(const Task& task) {
  const Trial known(task);
  return fit_error_bounds(known.task, known.expected).value();
}

/// Whether `got` is within `bounds` of the reference's own run.
bool within(const at::Tensor& got, const at::Tensor& own, const OutputBounds& bounds) {
  return rows_within(got.reshape({1, -1}), own.reshape({1, -1}), bounds).item<bool>();
}

/// As if every number had been rounded to so many significant bits.
at::Tensor rounded(const at::Tensor& values, int bits) {
  const auto scale = values.abs().log2().floor().sub(bits - 1).exp2();
  return values.div(scale).round().mul(scale).nan_to_num(0);
}

Task chained_sums(DType dtype) {
  return matmul(dtype, 24, 40, 256);
}

TEST(ErrorBounds, PassWhatTheOracleRoundsToForOtherDraws) {
  for (const auto& task :
       {row_sum(), matmul(), elementwise("torch.exp(x)"), elementwise("torch.relu(x)"),
        elementwise("x * x - x"), chained_sums(DType::float16), chained_sums(DType::bfloat16),
        elementwise("torch.tanh(x)", DType::float64), elementwise("torch.sqrt(x)"), matmul_w8a8()}) {
    const auto bounds = bounds_of(task);
    for (std::uint64_t seed = 20; seed < 25; ++seed) {
      const Trial other(task, InputSet::standard, seed);
      const auto& own = other.expected.own[0];
      EXPECT_TRUE(within(other.expected.oracle[0].to(own.scalar_type()), own, bounds[0])) << task.name;
      EXPECT_TRUE(within(own, own, bounds[0])) << task.name;
    }
  }
}

TEST(ErrorBounds, RefuseTheNextLowerPrecisionForOtherDraws) {
  struct Lowered {
    Task task;
    int bits;  // significant ones of the next lower precision: float16's, bfloat16's, float32's
  };
  for (const auto& [task, bits] : {Lowered{elementwise("torch.exp(x)"), 11},
                                   {elementwise("torch.relu(x)"), 11},
                                   {elementwise("torch.exp(x)", DType::float16), 8},
                                   {chained_sums(DType::float16), 8},
                                   {elementwise("torch.tanh(x)", DType::float64), 24}}) {
    const auto bounds = bounds_of(task);
    const Trial other(task, InputSet::standard, 8);
    const auto& own = other.expected.own[0];
    EXPECT_FALSE(within(rounded(other.expected.oracle[0], bits).to(own.scalar_type()), own, bounds[0]))
        << task.name;
  }
  const auto bounds = bounds_of(matmul());
  const Trial other(matmul(), InputSet::standard, 8);
  const auto product = at::matmul(rounded(other.inputs[0], 11), rounded(other.inputs[1], 11));
  EXPECT_FALSE(within(product, other.expected.own[0], bounds[0])) << "operands as TF32 rounds them";
}

TEST(ErrorBounds, RefuseAMeanOverAnEighthOfItsInput) {
  const auto task =
      sample("row_mean", {{"M", 64}, {"N", 4096}},
             {input("x", DType::float32, {"M", "N"}, Draw::uniform), output("y", DType::float32, {"M"})},
             "def reference(x):\n    return torch.mean(x, [1])\n", [] {
               Elementwise contract;
               contract.reduction = Expression::parse("N");
               return contract;
             }());
  const auto bounds = bounds_of(task);
  const Trial other(task, InputSet::standard, 8);
  const auto& own = other.expected.own[0];
  const auto part = other.inputs[0].slice(1, 0, 512).mean(1);
  EXPECT_LT(part.sub(own).abs().div(own).max().item<double>(), 0.1) << "near, since inputs are alike";
  EXPECT_FALSE(within(part, own, bounds[0]));
  auto one = own.clone();
  one[5] = part[5];
  EXPECT_FALSE(within(one, own, bounds[0])) << "in a single element";
}

/// The median over the elements of what a bound allows, in tolerances.
double typical_room(const Task& task, ErrorBound OutputBounds::* which) {
  const Trial trial(task, InputSet::standard, 8);
  const auto bound = bounds_of(task)[0].*which;
  const auto room = trial.expected.oracle[0].abs().mul(bound.relative).add(bound.constant);
  return room.div(trial.expected.tolerance[0]).median().item<double>();
}

TEST(ErrorBounds, AreNarrow) {
  for (const auto& task : {row_sum(), matmul(), elementwise("torch.exp(x)"), elementwise("x * x - x"),
                           elementwise("torch.tanh(x)", DType::float64), chained_sums(DType::float16)}) {
    EXPECT_NEAR(typical_room(task, &OutputBounds::most), 1, 0.3) << task.name;
    EXPECT_LT(typical_room(task, &OutputBounds::all), 8) << task.name;
  }
}

/// A float32 output whose elements are 1, and what was derived for it.
struct Synthetic {
  explicit Synthetic(at::Tensor tolerance) {
    expected.oracle = {at::full_like(tolerance, 1)};
    expected.own = {expected.oracle[0].to(at::kFloat)};
    expected.tolerance = {tolerance};
    expected.scale = {at::full_like(tolerance, 1)};
  }
  OutputBounds bounds() const { return fit_error_bounds(elementwise("x"), expected).value()[0]; }
  Expected expected;
};

TEST(ErrorBounds, DoNotWidenForAllWhatAFewElementsNeed) {
  auto tolerance = at::full({4096}, 1e-6, at::kDouble);
  for (int i = 0; i < 20; ++i) tolerance[i * 200] = 1e-2;  // where terms cancel
  const Synthetic uneven(tolerance);
  const auto bounds = uneven.bounds();
  const auto& own = uneven.expected.own[0];
  EXPECT_GE(bounds.all.constant + bounds.all.relative, 1e-2) << "all are held to that";
  EXPECT_FALSE(within(own + 1e-5, own, bounds)) << "beyond the tolerance of nearly all";
  auto few = own.clone();
  few.slice(0, 0, 30).add_(5e-3);
  EXPECT_TRUE(within(few, own, bounds)) << "where which elements those are changes with the draw";
  few.slice(0, 0, 1).add_(0.1);
  EXPECT_FALSE(within(few, own, bounds));
}

TEST(ErrorBounds, HoldZerosToTheConstantAndDoNotWidenForThem) {
  const auto magnitudes = at::randn({4096}, at::kDouble).exp().mul(100);
  const auto zeros = at::arange(4096).remainder(2).eq(0);
  Synthetic rectified(at::where(zeros, 1e-6, magnitudes * 1e-6));
  rectified.expected.oracle = {at::where(zeros, 0.0, magnitudes)};
  const auto bounds = rectified.bounds();
  EXPECT_GE(bounds.all.constant, 1e-6);
  EXPECT_LT(bounds.all.constant, 1e-3) << "far below what large elements have";
  EXPECT_GT(bounds.all.relative, 0);
}

TEST(ErrorBounds, HoldForEveryElementOfTheDrawThatTheyWereFittedTo) {
  const auto tolerance = at::randn({20000}, at::kDouble).exp().mul(1e-6);
  const Synthetic spread(tolerance);
  const auto bounds = spread.bounds();
  EXPECT_GE(bounds.all.constant + bounds.all.relative, tolerance.max().item<double>());
}

TEST(ErrorBounds, LeaveOutUndecidedElementsUnlessTheyAreMany) {
  auto tolerance = at::full({4096}, 1e-6, at::kDouble);
  tolerance.slice(0, 0, 40).fill_(std::numeric_limits<double>::infinity());
  EXPECT_LT(Synthetic(tolerance).bounds().all.constant, 1e-5);
  tolerance.slice(0, 0, 400).fill_(std::numeric_limits<double>::infinity());
  EXPECT_FALSE(fit_error_bounds(elementwise("x"), Synthetic(tolerance).expected));
}

TEST(ErrorBounds, WantIntegersAndExactOutputsToBeEqual) {
  const Trial exact(masked_select());
  const auto bounds = fit_error_bounds(exact.task, exact.expected).value();
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    EXPECT_TRUE(bounds[i].equal);
    const auto& own = exact.expected.own[i];
    EXPECT_TRUE(within(own, own, bounds[i]));
    EXPECT_FALSE(within(own + 1, own, bounds[i]));
  }
  const Trial random(dropout());
  EXPECT_FALSE(fit_error_bounds(random.task, random.expected))
      << "whose values are compared as a distribution";
}

TEST(ErrorBounds, AcceptNaNAndInfinitiesOnlyWhereTheReferenceHasTheSame) {
  const auto task = elementwise("torch.sqrt(x)");
  const auto bounds = bounds_of(task);
  const Trial other(task, InputSet::standard, 9);
  const auto& own = other.expected.own[0];
  ASSERT_TRUE(bounds[0].infinite);
  EXPECT_TRUE(within(own, own, bounds[0]));
  EXPECT_FALSE(within(own.nan_to_num(0.5), own, bounds[0]));
  const auto finite = at::full_like(own, 0.5);
  EXPECT_FALSE(within(own, finite, bounds[0]));
  EXPECT_FALSE(within(at::full_like(own, std::numeric_limits<double>::infinity()), finite, bounds[0]));
}

TEST(ErrorBounds, RefuseAnyNumberWhereTheReferenceIsInfinite) {
  for (const bool seen_when_fitted : {true, false}) {
    const OutputBounds bounds{
        .all = {0, 1e-3}, .most = {0, 1e-4}, .beyond_most = 0.05, .infinite = seen_when_fitted};
    const auto finite = at::full({100}, 3.0, at::kFloat);
    auto infinite = finite.clone();
    infinite[7] = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(within(finite, infinite, bounds));
    EXPECT_FALSE(within(infinite.neg(), infinite, bounds));
    EXPECT_EQ(within(infinite, infinite, bounds), seen_when_fitted);
  }
}

TEST(ErrorBounds, GiveEachRowItsOwnAnswer) {
  const Trial trial(matmul());
  const auto bounds = bounds_of(matmul());
  const auto own = trial.expected.own[0].reshape(-1);
  auto wrong = own.clone();
  wrong[17] += 1;
  const auto flags = rows_within(at::stack({own, wrong, own}), at::stack({own, own, own}), bounds[0]);
  EXPECT_TRUE(flags[0].item<bool>());
  EXPECT_FALSE(flags[1].item<bool>());
  EXPECT_TRUE(flags[2].item<bool>());
}

TEST(ErrorBounds, SeeEveryElementOfARowThatIsComparedInPieces) {
  const auto elements = (std::int64_t{1} << 25) + 5;
  const OutputBounds bounds{.all = {1e-6, 0}};
  const auto own = at::full({1, elements}, 1.0, at::kFloat);
  auto got = own.clone();
  EXPECT_TRUE(rows_within(got, own, bounds).item<bool>());
  got[0][elements - 1] = 1.1;
  EXPECT_FALSE(rows_within(got, own, bounds).item<bool>());
}

}  // namespace
}  // namespace ridgeline::verifier
