// Every contract but elementwise: honest variants pass, work left out does not.
#include "engine/verifier/compare.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/rand_like.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/verifier/faithful.hpp"
#include "engine/verifier/seeds.hpp"
#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

using Tensors = std::vector<at::Tensor>;

TEST(Exact, AMoveThatChangesOneBitFails) {
  auto task = elementwise("torch.flip(x, [0])");
  task.contract = Exact{};
  const Trial trial(task);
  EXPECT_TRUE(trial.judge_values({trial.expected.own[0]}).ok);
  auto off = trial.expected.own[0].clone();
  data<float>(off)[17] = std::nextafter(data<float>(off)[17], 9.0F);
  const auto result = trial.judge_values({off});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.mismatch->wrong, 1);
}

TEST(DataDependent, CountsAreComparedFirstAndRowsBeyondThemAreIgnored) {
  const Trial trial(masked_select());
  EXPECT_TRUE(trial.judge_values(trial.expected.own).ok);
  const auto with_count = [&](std::int64_t change) {
    return trial.judge([&](const Tensors&, Tensors& out) {
      const auto& right = trial.expected.own[0];
      out[0].narrow(0, 0, right.size(0)).copy_(right);
      data<std::int64_t>(out[1])[0] = right.size(0) + change;
    });
  };
  EXPECT_TRUE(with_count(0).ok);
  const auto result = with_count(1);
  EXPECT_EQ(result.reason, Reason::wrong_count);
  EXPECT_EQ(result.mismatch->output, "count");
  EXPECT_EQ(with_count(1 << 20).reason, Reason::wrong_count);
}

TEST(DataDependent, AnEmptyResultPasses) {
  auto task = masked_select();
  std::get<Tensor>(task.parameters[1]).input.high = Expression::parse("0");
  const Trial trial(task);
  EXPECT_EQ(trial.expected.oracle[0].numel(), 0);
  EXPECT_TRUE(trial.judge([](const Tensors&, Tensors& out) { data<std::int64_t>(out[1])[0] = 0; }).ok);
}

/// matmul_w8a8 in float32 and integers, as a kernel would do it.
void quantized_matmul(const Tensors& in, Tensors& out) {
  const auto m = in[0].size(0), k = in[0].size(1), n = in[1].size(0);
  const auto quantize = [&](const at::Tensor& x, std::vector<int>& q, std::vector<float>& scales) {
    for (std::int64_t r = 0; r < x.size(0); ++r) {
      const auto* row = data<float>(x) + r * k;
      float largest = 0;
      for (std::int64_t i = 0; i < k; ++i) largest = std::max(largest, std::fabs(row[i]));
      scales.push_back(std::max(largest / 127.0F, 1e-8F));
      const float inverse = 1 / scales.back();
      for (std::int64_t i = 0; i < k; ++i)
        q.push_back(std::clamp(static_cast<int>(std::nearbyint(row[i] * inverse)), -127, 127));
    }
  };
  std::vector<int> qa, qb;
  std::vector<float> sa, sb;
  quantize(in[0], qa, sa);
  quantize(in[1], qb, sb);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      int sum = 0;
      for (std::int64_t l = 0; l < k; ++l)
        sum += qa[static_cast<std::size_t>(i * k + l)] * qb[static_cast<std::size_t>(j * k + l)];
      data<float>(out[0])[i * n + j] =
          static_cast<float>(sum) * sa[static_cast<std::size_t>(i)] * sb[static_cast<std::size_t>(j)];
    }
}

TEST(Quantized, AnIntegerKernelPassesOnInputsNearTies) {
  for (const auto set : sets)
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Trial trial(matmul_w8a8(), set, seed);
      const auto result = trial.judge(quantized_matmul);
      EXPECT_TRUE(result.ok) << result.detail;
      ASSERT_EQ(result.quantization.size(), 1U);
      EXPECT_GT(result.quantization[0].cosine, 0.9);
    }
}

TEST(Quantized, TheUnquantizedResultFailsAsNotQuantized) {
  for (const auto set : {InputSet::standard, InputSet::outlier}) {
    const Trial trial(matmul_w8a8(), set);
    const auto result = trial.judge_values({at::matmul(trial.inputs[0], trial.inputs[1].t())});
    EXPECT_FALSE(result.ok);
    EXPECT_EQ(result.reason, Reason::not_quantized);
    EXPECT_NEAR(result.quantization[0].cosine, 1, 1e-6);
  }
}

TEST(Quantized, OtherScalesAndRoundingsFail) {
  const Trial trial(matmul_w8a8());
  EXPECT_FALSE(trial.judge_values({trial.expected.oracle[0] * 1.002}).ok);
  const auto& a = trial.inputs[0];
  const auto whole = a.abs().max() / 127.0;  // one scale for the tensor instead of one a row
  const auto coarse = (a / whole).round() * whole;
  EXPECT_FALSE(trial.judge_values({at::matmul(coarse, trial.inputs[1].t())}).ok);
}

TEST(Statistical, HonestDropoutsPassAndShortcutsFail) {
  const Trial trial(dropout());
  const auto& x = trial.inputs[0];
  for (int i = 0; i < 5; ++i) {
    const auto kept = (at::rand_like(x) >= 0.25).to(at::kFloat);
    const auto result = trial.judge_values({x * kept * (1.0F / 0.75F)});
    EXPECT_TRUE(result.ok) << result.detail;
  }
  const auto kept = (at::rand_like(x) >= 0.25).to(at::kFloat);
  EXPECT_FALSE(trial.judge_values({x}).ok) << "nothing dropped";
  EXPECT_FALSE(trial.judge_values({x * kept}).ok) << "not rescaled";
  EXPECT_FALSE(trial.judge_values({(x * kept / 0.75).flip(0)}).ok) << "of another input";
  EXPECT_FALSE(trial.judge_values({at::zeros_like(x)}).ok);
  EXPECT_FALSE(trial.judge_values({x * (at::rand_like(x) >= 0.35) / 0.65}).ok) << "another probability";
}

TEST(Statistical, HonestDropoutsPassInEverySet) {
  for (const auto set : sets)
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Trial trial(dropout(3000), set, seed);
      const auto& x = trial.inputs[0];
      const auto result = trial.judge_values({x * (at::rand_like(x) >= 0.25) / 0.75});
      EXPECT_TRUE(result.ok) << result.detail;
    }
}

TEST(Statistical, TwoCallsWithTheSameDrawFail) {
  const Trial trial(dropout());
  const auto& one = trial.task.cases[0];
  const auto a = trial.reference.run(trial.inputs, one), b = trial.reference.run(trial.inputs, one);
  EXPECT_TRUE(compare_calls(trial.task, one, trial.set, trial.expected, {a, b}).ok);
  EXPECT_FALSE(compare_calls(trial.task, one, trial.set, trial.expected, {a, a}).ok);
  EXPECT_FALSE(compare_calls(trial.task, one, trial.set, trial.expected, {a, b, a}).ok);
}

TEST(Statistical, OtherSeedsLeaveTheOtherInputsAsTheyAre) {
  const Trial trial(dropout());
  const auto& one = trial.task.cases[0];
  const auto seed = *data<std::int64_t>(trial.inputs[1]);
  const auto others = inputs_with_other_seeds(trial.task, one, trial.inputs, 500);
  ASSERT_EQ(others.size(), calls_to_compare(trial.task, one) - 1);
  EXPECT_EQ(*data<std::int64_t>(others[0][1]), seed ^ 1) << "a neighbour";
  EXPECT_NE(*data<std::int64_t>(others[1][1]), *data<std::int64_t>(others[2][1]));
  EXPECT_EQ(*data<std::int64_t>(trial.inputs[1]), seed) << "the first call's seed stays";
  EXPECT_EQ(others[1][0].data_ptr(), trial.inputs[0].data_ptr());
}

/// dropout(64), whose seed is drawn as `draw` says.
Task dropout_with_seed(Draw draw, const std::string& low, const std::string& high,
                       const std::string& elements = "1") {
  auto task = dropout(64);
  for (auto& parameter : task.parameters)
    if (auto* tensor = std::get_if<Tensor>(&parameter); tensor && tensor->name == "seed")
      *tensor = input("seed", DType::int64, {elements}, draw, low, high);
  return task;
}

TEST(Statistical, SeedsThatAreFewAreTakenOnceEach) {
  const auto task = dropout_with_seed(Draw::uniform, "0", "2");
  const Trial two(task);
  for (std::uint64_t word = 0; word < 100; ++word)  // two draws are equal for half of the words
    EXPECT_EQ(inputs_with_other_seeds(task, task.cases[0], two.inputs, word).size(), 1U) << word;
  const Trial none(row_sum());
  EXPECT_TRUE(inputs_with_other_seeds(none.task, none.task.cases[0], none.inputs, 5).empty());
}

TEST(Statistical, AnInputOfOneValueIsNoSeed) {
  for (const auto& task :
       {dropout_with_seed(Draw::constant, "5", "0"), dropout_with_seed(Draw::uniform, "5", "6"),
        dropout_with_seed(Draw::sorted, "5", "6"), dropout_with_seed(Draw::bernoulli, "0", "1"),
        dropout_with_seed(Draw::normal, "5", "0"), dropout_with_seed(Draw::permutation, "0", "1")}) {
    const Trial trial(task);
    EXPECT_TRUE(inputs_with_other_seeds(task, task.cases[0], trial.inputs, 5).empty());
  }
}

TEST(Statistical, OtherSeedsAreDrawnByTheTaskToo) {
  const auto task = dropout_with_seed(Draw::uniform, "-3", "3", "2");
  const auto ordered = dropout_with_seed(Draw::sorted, "0", "2**40", "3");
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Trial trial(task, InputSet::standard, seed);
    const auto others = inputs_with_other_seeds(task, task.cases[0], trial.inputs, seed);
    ASSERT_FALSE(others.empty());
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(std::abs(data<std::int64_t>(others[0][1])[i] - data<std::int64_t>(trial.inputs[1])[i]), 1);
    for (const auto& inputs : others)
      for (int i = 0; i < 2; ++i) {
        EXPECT_GE(data<std::int64_t>(inputs[1])[i], -3);
        EXPECT_LT(data<std::int64_t>(inputs[1])[i], 3);
      }
    const Trial ascending(ordered, InputSet::standard, seed);
    for (const auto& inputs : inputs_with_other_seeds(ordered, ordered.cases[0], ascending.inputs, seed))
      EXPECT_TRUE(std::is_sorted(data<std::int64_t>(inputs[1]), data<std::int64_t>(inputs[1]) + 3));
  }
}

TEST(Statistical, ShortOutputsAreJoinedOverMoreCalls) {
  const auto calls = [](std::int64_t n) { return calls_to_compare(dropout(n), dropout(n).cases[0]); };
  EXPECT_EQ(calls(1), 40U);
  EXPECT_EQ(calls(8192), 16U);
  EXPECT_EQ(calls(1 << 20), 3U);
}

TEST(Statistical, AWindowMovedAlongOneTableFailsAsASecondStream) {
  auto task = dropout();
  task.reference = "def reference(x, seed):\n    return torch.rand_like(x)\n";
  for (const auto dtype :
       {DType::float32, DType::bfloat16}) {  // of bfloat16 honest draws have most values in common
    for (auto& parameter : task.parameters)
      if (auto* tensor = std::get_if<Tensor>(&parameter); tensor && tensor->name != "seed")
        tensor->dtype = dtype;
    const Trial trial(task);
    const auto& one = trial.task.cases[0];
    const auto a = trial.reference.run(trial.inputs, one), b = trial.reference.run(trial.inputs, one);
    EXPECT_TRUE(compare_calls(trial.task, one, trial.set, trial.expected, {a, b}).ok);
    if (dtype != DType::float32) continue;
    const Tensors moved{a[0].roll(17, 0)};
    const auto result = compare_calls(trial.task, one, trial.set, trial.expected, {a, moved});
    EXPECT_FALSE(result.ok);
    EXPECT_NE(result.detail.find("100 % of their values in common"), std::string::npos) << result.detail;
  }
}

TEST(UpToSign, ColumnsMayChangeSignIfTheProductStays) {
  for (const auto dtype : {DType::float32, DType::float64, DType::complex64})
    for (const auto set : sets) {
      const Trial trial(qr(dtype), set);
      auto q = trial.expected.own[0].clone(), r = trial.expected.own[1].clone();
      EXPECT_TRUE(trial.judge_values({q, r}).ok);
      q.narrow(1, 3, 1).neg_();
      EXPECT_FALSE(trial.judge_values({q, r}).ok) << "the product is no longer the input";
      r.narrow(0, 3, 1).neg_();
      const auto result = trial.judge_values({q, r});
      EXPECT_TRUE(result.ok) << to_string(dtype) << ": " << result.detail;
      q.narrow(0, 2, 1).zero_();
      EXPECT_FALSE(trial.judge_values({q, r}).ok);
    }
}

/// Singular values of a batch of matrices lie in a matrix too.
Task batched_svd(std::vector<std::string> factors = {}) {
  UpToSign contract;
  contract.reduction = Expression::parse("M");
  contract.factors = std::move(factors);
  auto a = input("a", DType::float32, {"B", "M", "N"});
  a.input.draw = Draw::well_conditioned;
  return sample("batched_svd", {{"B", 5}, {"M", 9}, {"N", 5}},
                {a, output("u", DType::float32, {"B", "M", "N"}), output("s", DType::float32, {"B", "N"}),
                 output("v", DType::float32, {"B", "N", "N"})},
                "def reference(a):\n    u, s, v = torch.linalg.svd(a, False)\n    return u, s, v\n",
                contract);
}

TEST(UpToSign, SingularValuesOfABatchAreNoFactor) {
  for (const auto& task : {batched_svd(), batched_svd({"u", "v"})}) {
    const Trial trial(task);
    auto u = trial.expected.own[0].clone(), s = trial.expected.own[1].clone(),
         v = trial.expected.own[2].clone();
    u.narrow(2, 1, 1).neg_();
    v.narrow(1, 1, 1).neg_();
    const auto right = trial.judge_values({u, s, v});
    EXPECT_TRUE(right.ok) << right.detail;
    auto flipped = s.clone(), flipped_where_factors_are = s.clone(), swapped = s.clone();
    flipped.narrow(1, 3, 1).neg_();
    flipped_where_factors_are.narrow(1, 1, 1).neg_();
    swapped.narrow(1, 0, 1).copy_(s.narrow(1, 1, 1));
    swapped.narrow(1, 1, 1).copy_(s.narrow(1, 0, 1));
    EXPECT_FALSE(trial.judge_values({u, flipped, v}).ok);
    EXPECT_FALSE(trial.judge_values({u, flipped_where_factors_are, v}).ok);
    EXPECT_FALSE(trial.judge_values({u, swapped, v}).ok);
    EXPECT_FALSE(trial.judge_values({u.neg(), s, v}).ok) << "the product is no longer the input";
  }
}

TEST(UpToSign, OutputsThatTheContractDoesNotNameKeepTheirSigns) {
  auto task = qr();
  std::get<UpToSign>(task.contract).factors = {"q"};
  const Trial trial(task);
  auto q = trial.expected.own[0].clone(), r = trial.expected.own[1].clone();
  q.narrow(1, 3, 1).neg_();
  EXPECT_TRUE(trial.judge_values({q, r}).ok);
  r.narrow(0, 3, 1).neg_();
  EXPECT_FALSE(trial.judge_values({q, r}).ok);
}

TEST(UpToSign, AnotherAlgorithmPasses) {
  const Trial trial(qr());
  const auto result = trial.judge([](const Tensors& in, Tensors& out) {  // Gram-Schmidt, twice, in float32
    const auto m = in[0].size(0), n = in[0].size(1);
    auto q = in[0].clone();
    auto* values = data<float>(q);
    for (int pass = 0; pass < 2; ++pass)
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t l = 0; l < j; ++l) {
          float dot = 0;
          for (std::int64_t i = 0; i < m; ++i) dot += values[i * n + l] * values[i * n + j];
          for (std::int64_t i = 0; i < m; ++i) values[i * n + j] -= dot * values[i * n + l];
        }
        float square = 0;
        for (std::int64_t i = 0; i < m; ++i) square += values[i * n + j] * values[i * n + j];
        for (std::int64_t i = 0; i < m; ++i) values[i * n + j] /= std::sqrt(square);
      }
    out[0].copy_(q);
    out[1].copy_(at::matmul(q.t(), in[0]).triu());
  });
  EXPECT_TRUE(result.ok) << result.detail;
}

TEST(Faithful, UsesThePublishedTolerances) {
  const Trial trial(elementwise("torch.exp(x)"));
  const auto& own = trial.expected.own[0];
  EXPECT_TRUE(faithful_correct(trial.task, trial.expected, {own * (1 + 5e-6)}));
  EXPECT_FALSE(faithful_correct(trial.task, trial.expected, {own * (1 + 5e-5)}));
  const Trial quantized(matmul_w8a8());
  const auto plain = at::matmul(quantized.inputs[0], quantized.inputs[1].t());
  EXPECT_TRUE(faithful_correct(quantized.task, quantized.expected, {plain})) << "the published gate takes it";
}

}  // namespace
}  // namespace ridgeline::verifier
