// The contract elementwise: honest variants pass, work left out does not.
#include "engine/verifier/compare.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "engine/verifier/choice.hpp"
#include "engine/verifier/perturb.hpp"
#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

using Tensors = std::vector<at::Tensor>;

float serial_sum(const float* x, std::int64_t n) {
  float sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}

float backward_sum(const float* x, std::int64_t n) {
  float sum = 0;
  for (std::int64_t i = n; i-- > 0;) sum += x[i];
  return sum;
}

float blocked_sum(const float* x, std::int64_t n) {
  float lanes[32] = {};
  for (std::int64_t i = 0; i < n; ++i) lanes[i % 32] += x[i];
  return serial_sum(lanes, 32);
}

float pairwise_sum(const float* x, std::int64_t n) {
  return n == 1 ? x[0] : pairwise_sum(x, n / 2) + pairwise_sum(x + n / 2, n - n / 2);
}

/// Where sums are below 0, the result is 0 for good.
Task rectified_product() {
  auto task = matmul();
  task.reference = "def reference(a, b):\n    return torch.relu(torch.matmul(a, b))\n";
  return task;
}

TEST(Elementwise, AZeroMayBeOffByWhatRoundingLiftsASumAboveIt) {
  for (const auto set : {InputSet::standard, InputSet::outlier}) {
    const Trial trial(rectified_product(), set);
    const auto sums = at::matmul(trial.inputs[0].to(at::kDouble), trial.inputs[1].to(at::kDouble));
    const auto zeros = trial.expected.oracle[0].eq(0);
    ASSERT_GT(zeros.sum().item<std::int64_t>(), 300);
    const double rounding = 0x1p-23 * sums.abs().median().item<double>();
    const auto result = trial.judge_values({at::where(zeros, rounding, trial.expected.oracle[0])});
    EXPECT_TRUE(result.ok) << result.detail;
    EXPECT_FALSE(trial.judge_values({at::where(zeros, 1e4 * rounding, trial.expected.oracle[0])}).ok);
    EXPECT_FALSE(trial.judge_values({sums}).ok) << "not rectified";
    const auto lower = at::matmul(rounded({trial.inputs[0]}, 11)[0], rounded({trial.inputs[1]}, 11)[0]);
    EXPECT_FALSE(trial.judge_values({at::relu(lower)}).ok) << "operands as TF32 rounds them";
  }
}

/// x plus b times a place that float64 rounds to 0 where it is tiny.
Task sum_at_a_place() {
  return sample("sum_at_a_place", {{"M", 32}, {"N", 48}},
                {input("x", DType::float32, {"M", "N"}), input("b", DType::float32, {"M", "N"}),
                 input("place", DType::float32, {"M", "N"}), output("y", DType::float32, {"M", "N"})},
                "def reference(x, b, place):\n    return x + b * ((place + 1) - 1)\n", Elementwise{});
}

TEST(Elementwise, AKernelMayKeepWhatFloat64Loses) {
  const Trial drawn(sum_at_a_place());
  const auto& task_case = drawn.task.cases[0];
  auto inputs = drawn.inputs;
  inputs[0][3][7] = 0;
  inputs[0][5][9] = 1e-37;
  for (const auto& at : {std::pair{3, 7}, {5, 9}}) inputs[2][at.first][at.second] = 2e-37;
  const auto expected = expect(drawn.reference, drawn.task, task_case, InputSet::standard, inputs);
  const auto verdict = [&](const at::Tensor& got) {
    return compare_outputs(drawn.reference, drawn.task, task_case, InputSet::standard, inputs, expected,
                           {got.to(at::kFloat)});
  };
  const auto kept = inputs[0].to(at::kDouble) + inputs[1].to(at::kDouble) * inputs[2].to(at::kDouble);
  ASSERT_NE(kept[5][9].item<double>(), expected.oracle[0][5][9].item<double>());
  EXPECT_TRUE(verdict(kept).ok) << verdict(kept).detail;
  auto wrong = kept.clone();
  wrong[5][9] = 1e-13;
  EXPECT_FALSE(verdict(wrong).ok) << "far below the neighbours, but more than float64 loses";
}

TEST(Elementwise, EveryOrderOfSummationPasses) {
  for (const auto set : sets)
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Trial trial(row_sum(), set, seed);
      for (const auto sum : {serial_sum, backward_sum, blocked_sum, pairwise_sum}) {
        const auto result = trial.judge([&](const Tensors& in, Tensors& out) {
          for (std::int64_t r = 0; r < 64; ++r)
            data<float>(out[0])[r] = sum(data<float>(in[0]) + r * 4096, 4096);
        });
        EXPECT_TRUE(result.ok) << result.detail;
        ASSERT_EQ(result.errors.size(), 1U);
        EXPECT_LT(result.errors[0].worst, 1);
      }
    }
}

/// Compares `got` for the inputs of `trial`, with the tolerances that `known` derived for another draw.
std::optional<Comparison> compare_with_known(const Trial& trial, const Expected& known, const Tensors& got) {
  const auto& one = trial.task.cases.front();
  const auto expected = expect_alike(trial.reference, trial.task, one, trial.inputs, known);
  if (!expected) return std::nullopt;
  return compare(trial.task, one, trial.set, *expected, got);
}

TEST(Elementwise, TolerancesOfOneDrawHoldForAnotherDraw) {
  const Trial known(matmul()), trial(matmul(), InputSet::standard, 8);
  const auto right = at::matmul(trial.inputs[0], trial.inputs[1]);
  const auto passes = compare_with_known(trial, known.expected, {right});
  ASSERT_TRUE(passes);
  EXPECT_TRUE(passes->ok) << passes->detail;
  const auto lower = at::matmul(trial.inputs[0].to(at::kBFloat16).to(at::kFloat), trial.inputs[1]);
  EXPECT_FALSE(compare_with_known(trial, known.expected, {lower})->ok) << "operands of 16 bits";
  EXPECT_FALSE(compare_with_known(trial, known.expected, {known.expected.own[0]})->ok)
      << "what is right for other inputs";
}

TEST(Elementwise, NoCommonToleranceIsDerivedFromUndecidedOrUnevenElements) {
  const Trial known(matmul());
  auto undecided = known.expected;
  undecided.tolerance[0] = undecided.tolerance[0].clone();
  undecided.tolerance[0].view(-1)[3] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(compare_with_known(known, undecided, {known.expected.own[0]}));
  undecided.tolerance[0].view(-1)[3] = 100 * known.expected.tolerance[0].max().item<double>();
  EXPECT_FALSE(compare_with_known(known, undecided, {known.expected.own[0]}))
      << "one that would be all the others' room";
  const Trial exact(masked_select());
  EXPECT_FALSE(compare_with_known(exact, exact.expected, exact.expected.own))
      << "contracts that compare otherwise";
}

template <bool Fused>
void serial_matmul(const Tensors& in, Tensors& out) {
  const auto m = in[0].size(0), k = in[0].size(1), n = in[1].size(1);
  const auto *a = data<float>(in[0]), *b = data<float>(in[1]);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        volatile const float product = a[i * k + l] * b[l * n + j];  // rounded before it is added
        sum = Fused ? std::fma(a[i * k + l], b[l * n + j], sum) : sum + product;
      }
      data<float>(out[0])[i * n + j] = sum;
    }
}

float flushed(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? 0 : x;
}

/// Imitates kernels that split K among blocks: blocks add to the result in any order, by atomic additions
/// that flush subnormal numbers.
TEST(Elementwise, SplitKProductsPassInEveryOrderOfTheirParts) {
  constexpr std::int64_t M = 23, N = 41, K = 59, parts = 8, part = (K + parts - 1) / parts;
  for (const auto set : sets)
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const Trial trial(matmul(DType::float32, M, N, K), set, seed);
      const auto result = trial.judge([&](const Tensors& in, Tensors& out) {
        const auto *a = data<float>(in[0]), *b = data<float>(in[1]);
        for (std::int64_t m = 0; m < M; ++m)
          for (std::int64_t n = 0; n < N; ++n) {
            float all = 0;
            for (std::int64_t turn = 0; turn < parts; ++turn) {
              const auto begin = (turn * 5 + m + n) % parts * part, end = std::min(K, begin + part);
              float sum = 0;
              for (std::int64_t k = begin; k < end; ++k) sum = std::fma(a[m * K + k], b[k * N + n], sum);
              all = flushed(all + flushed(sum));
            }
            data<float>(out[0])[m * N + n] = all;
          }
      });
      EXPECT_TRUE(result.ok) << seed << ": " << result.detail;
    }
}

TEST(Elementwise, SerialProductsPassWithAndWithoutFusedMultiplyAdd) {
  for (const auto set : sets) {
    const Trial trial(matmul(), set);
    EXPECT_TRUE(trial.judge(serial_matmul<false>).ok);
    EXPECT_TRUE(trial.judge(serial_matmul<true>).ok);
  }
}

TEST(Elementwise, InputsRoundedToHalfPrecisionFailAsLowerPrecision) {
  for (const auto& task : {matmul(), row_sum()}) {
    const Trial trial(task);
    const auto result = trial.judge_values(trial.reference.run(rounded(trial.inputs, 11), task.cases[0]));
    EXPECT_FALSE(result.ok);
    EXPECT_EQ(result.reason, Reason::lower_precision) << result.detail;
  }
}

TEST(Elementwise, LowerPrecisionPassesWhereTheTaskAllowsIt) {
  auto task = matmul();
  std::get<Elementwise>(task.contract).lower_precision_allowed = true;
  const Trial trial(task);
  EXPECT_TRUE(trial.judge_values(trial.reference.run(rounded(trial.inputs, 11), task.cases[0])).ok);
}

/// exp by a polynomial of degree 6 after reduction to [-ln2/2, ln2/2]: a few ulps off.
float polynomial_exp(float x) {
  if (x > 88.8F) return std::numeric_limits<float>::infinity();
  if (x < -103) return 0;
  const float n = std::nearbyint(x * 1.44269504F);
  const float r = std::fma(-n, -2.12194440e-4F, std::fma(-n, 0.693359375F, x));
  float p = 1.0F / 720;
  for (const float c : {1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F}) p = std::fma(p, r, c);
  return std::ldexp(p, static_cast<int>(n));
}

TEST(Elementwise, APolynomialExponentialPassesAndABfloat16OneFails) {
  for (const auto set : sets) {
    const Trial trial(elementwise("torch.exp(x)"), set);
    const auto result = trial.judge([](const Tensors& in, Tensors& out) {
      for (std::int64_t i = 0; i < 4096; ++i) data<float>(out[0])[i] = polynomial_exp(data<float>(in[0])[i]);
    });
    EXPECT_TRUE(result.ok) << result.detail;
  }
  const Trial trial(elementwise("torch.exp(x)"));
  EXPECT_FALSE(trial.judge_values({trial.expected.own[0].to(at::kBFloat16)}).ok);
}

TEST(Elementwise, TanhThroughExponentialsPasses) {
  const Trial trial(elementwise("torch.tanh(x)"));
  const auto result = trial.judge([](const Tensors& in, Tensors& out) {
    for (std::int64_t i = 0; i < 4096; ++i) {
      const float x = data<float>(in[0])[i], t = polynomial_exp(-2 * std::fabs(x));
      data<float>(out[0])[i] = std::fabs(x) < 0.3F ? std::tanh(x) : std::copysign((1 - t) / (1 + t), x);
    }
  });
  EXPECT_TRUE(result.ok) << result.detail;
}

TEST(Elementwise, SixteenBitKernelsThatRoundOncePass) {
  for (const auto dtype : {DType::float16, DType::bfloat16})
    for (const auto set : sets) {
      const Trial trial(matmul(dtype, 24, 40, 512), set);
      const auto single = at::matmul(trial.inputs[0].to(at::kFloat), trial.inputs[1].to(at::kFloat));
      const auto result = trial.judge_values({single});
      EXPECT_TRUE(result.ok) << result.detail;
    }
}

TEST(Elementwise, SixteenBitKernelsOnePrecisionLowerFail) {
  const int digits[] = {8, 4};
  const DType dtypes[] = {DType::float16, DType::bfloat16};
  for (int i = 0; i < 2; ++i) {
    const Trial trial(matmul(dtypes[i], 24, 40, 512));
    const auto lower = trial.reference.run_in_float64(rounded(trial.inputs, digits[i]), trial.task.cases[0]);
    EXPECT_FALSE(trial.judge_values(lower).ok) << to_string(dtypes[i]);
  }
}

TEST(Elementwise, AFloat32ResultFailsAFloat64Task) {
  const Trial trial(matmul(DType::float64));
  EXPECT_TRUE(trial.judge_values({trial.expected.own[0]}).ok);
  const auto result = trial.judge_values({trial.expected.own[0].to(at::kFloat)});
  EXPECT_EQ(result.reason, Reason::lower_precision) << result.detail;
}

TEST(Elementwise, ComplexProductsAreComparedByTheirDistanceInThePlane) {
  const Trial trial(matmul(DType::complex64, 8, 8, 256));
  EXPECT_TRUE(trial.judge_values({at::matmul(trial.inputs[0], trial.inputs[1])}).ok);
  EXPECT_FALSE(trial.judge_values({at::matmul(trial.inputs[0], trial.inputs[1].conj()).resolve_conj()}).ok);
}

TEST(Elementwise, WorkLeftOutFailsWithThePatternThatItLeaves) {
  const Trial trial(matmul());
  const auto& right = trial.expected.own[0];
  EXPECT_EQ(trial.judge_values({at::zeros_like(right)}).mismatch->pattern, Pattern::all_zero);
  EXPECT_EQ(trial.judge_values({at::ones_like(right)}).mismatch->pattern, Pattern::constant);
  EXPECT_EQ(trial.judge_values({right * 1.01}).mismatch->pattern, Pattern::scaled);
  const auto unwritten = trial.judge(
      [&](const Tensors&, Tensors& out) { out[0].narrow(0, 0, 20).copy_(right.narrow(0, 0, 20)); });
  ASSERT_TRUE(unwritten.mismatch);
  EXPECT_EQ(unwritten.mismatch->pattern, Pattern::not_written);
  EXPECT_EQ(unwritten.mismatch->wrong, 160);
  EXPECT_EQ(unwritten.mismatch->first.size(), 5U);
  EXPECT_EQ(unwritten.mismatch->first[0].index, (std::vector<std::int64_t>{20, 0}));
  EXPECT_EQ(unwritten.reason, Reason::wrong_values);
}

TEST(Elementwise, TheNameOfAHiddenCaseIsNotShown) {
  auto task = matmul();
  task.cases[0].hidden = true;
  const Trial trial(task);
  const auto result = trial.judge_values({at::zeros_like(trial.expected.own[0])});
  EXPECT_EQ(result.detail.find("'only'"), std::string::npos);
  EXPECT_TRUE(result.mismatch->hidden);
}

TEST(Elementwise, LogOfZeroIsComparedAndZeroOverZeroOfTiesIsNot) {
  const Trial log(elementwise("torch.log(torch.abs(x))"), InputSet::edge);
  EXPECT_TRUE(log.judge_values({log.expected.own[0]}).ok);
  EXPECT_FALSE(log.judge_values({log.expected.own[0].nan_to_num()}).ok);
  auto task = sample("standardized", {{"M", 32}, {"N", 64}},
                     {input("x", DType::float32, {"M", "N"}), output("y", DType::float32, {"M", "N"})},
                     "def reference(x):\n    return (x - x.mean(1, True)) / x.std([1], keepdim=True)\n",
                     Elementwise{});
  std::get<Elementwise>(task.contract).reduction = Expression::parse("N");
  const Trial standardized(task, InputSet::edge);
  const auto x = standardized.inputs[0];
  const auto other = (x - x.mean(1, true)) * (1 / x.std(at::IntArrayRef{1}, true, true));
  EXPECT_TRUE(standardized.judge_values({other}).ok);
  // Rows of one value: 0/0 by an exact tie, where rounding could give anything. Rows of zeros: NaN however
  // computed.
  const auto tied = other.isnan() & (x != 0);
  EXPECT_GT(tied.sum().item().toLong(), 0);
  EXPECT_TRUE(standardized.judge_values({at::where(tied, at::zeros_like(other), other)}).ok);
  EXPECT_FALSE(standardized.judge_values({other.nan_to_num()}).ok);
}

}  // namespace
}  // namespace ridgeline::verifier
