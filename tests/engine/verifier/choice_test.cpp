// A kernel's own choice is judged by its own contract, and the rest by what the reference makes of it.
#include "engine/verifier/choice.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/rand_like.h>
#include <ATen/ops/zeros_like.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "engine/verifier/check_task.hpp"
#include "engine/verifier/error_bounds.hpp"
#include "engine/verifier/seeds.hpp"
#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

using Tensors = std::vector<at::Tensor>;
using testing::HasSubstr;

at::Tensor kept(const at::Tensor& x, double dropped = 0.25) {
  return at::rand_like(x) >= dropped;
}

TEST(RandomChoice, AnyMaskOfTheRightRatePassesWithTheOutputThatFitsIt) {
  for (const auto set : sets)
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Trial trial(dropout_with_mask(), set, seed);
      const auto& x = trial.inputs[0];
      const auto mask = kept(x);
      const auto result = trial.judge_values({mask, x * mask * (1.0F / 0.75F)});
      EXPECT_TRUE(result.ok) << to_string(set) << ": " << result.detail;
    }
}

TEST(RandomChoice, AnOutputThatDoesNotFitItsMaskFailsWhateverItsDistribution) {
  const Trial trial(dropout_with_mask());
  const auto& x = trial.inputs[0];
  const auto mask = kept(x);
  const auto other = trial.judge_values({mask, x * kept(x) / 0.75});
  EXPECT_EQ(other.reason, Reason::wrong_values);
  ASSERT_TRUE(other.mismatch);
  EXPECT_EQ(other.mismatch->output, "y");
  EXPECT_FALSE(trial.judge_values({mask, x * mask}).ok) << "not rescaled";
  auto one_off = x * mask / 0.75;
  data<float>(one_off)[4711] += 0.001F;
  const auto found = trial.judge_values({mask, one_off});
  ASSERT_TRUE(found.mismatch) << "a distribution alone would not show one element";
  EXPECT_EQ(found.mismatch->wrong, 1);
}

TEST(RandomChoice, AMaskOfAnotherRateOrNoneFailsThoughTheOutputFitsIt) {
  const Trial trial(dropout_with_mask());
  const auto& x = trial.inputs[0];
  for (const auto& mask : {kept(x, 0.35), at::ones_like(x).to(at::kBool), at::zeros_like(x).to(at::kBool),
                           (at::arange(x.numel()) % 4 != 0)}) {
    const auto result = trial.judge_values({mask, x * mask / 0.75});
    ASSERT_FALSE(result.ok);
    EXPECT_EQ(result.mismatch->output, "mask") << result.detail;
  }
}

TEST(RandomChoice, CallsWithOtherSeedsMustChooseAnew) {
  const Trial trial(dropout_with_mask());
  EXPECT_TRUE(is_random(trial.task));
  const auto& x = trial.inputs[0];
  const auto call_with = [&](const at::Tensor& mask) { return Tensors{mask, x * mask / 0.75}; };
  const auto mask = kept(x);
  const auto compare_with = [&](const at::Tensor& second, const at::Tensor& third) {
    return compare_random_calls(trial.task, trial.task.cases[0], InputSet::standard, trial.expected,
                                {call_with(mask), call_with(second), call_with(third)});
  };
  EXPECT_TRUE(compare_with(kept(x), kept(x)).ok);
  const auto again = compare_with(mask, mask);
  EXPECT_FALSE(again.ok);
  EXPECT_THAT(again.detail, HasSubstr("'mask'"));
}

TEST(CheckedChoice, AnyPlaceOfTheSmallestPassesAndItsValueMustFit) {
  for (const auto set : sets) {
    const Trial trial(smallest_gelu(), set);
    EXPECT_TRUE(trial.judge_values(trial.expected.own).ok) << to_string(set);
  }
  Trial trial(smallest_gelu());
  auto outputs = trial.expected.own;
  outputs[1] = outputs[1].clone();
  data<std::int64_t>(outputs[1])[3] = (data<std::int64_t>(outputs[1])[3] + 1) % 300;
  const auto elsewhere = trial.judge_values(outputs);
  EXPECT_THAT(elsewhere.detail, HasSubstr("'distance from the smallest' is "));
  EXPECT_THAT(elsewhere.detail, HasSubstr(" at [3]"));
  data<std::int64_t>(outputs[1])[3] = 1 << 20;
  EXPECT_FALSE(trial.judge_values(outputs).ok) << "outside, and not followed";
  auto wrong_value = trial.expected.own;
  wrong_value[0] = wrong_value[0] * 1.001;
  EXPECT_EQ(trial.judge_values(wrong_value).mismatch->output, "value");
}

TEST(CheckedChoice, EqualRowsLeaveAnyPlace) {
  Trial trial(smallest_gelu());
  trial.inputs[0].fill_(-0.75);
  const auto outputs = trial.judge([&](const Tensors& in, Tensors& out) {
    out[0].copy_(trial.reference.run(in, trial.task.cases[0])[0]);
    out[1].fill_(299);
  });
  EXPECT_TRUE(outputs.ok) << outputs.detail;
}

/// The reader of task files refuses these too. Without the same rule here a comparison ended in a variant's
/// exception, as if the judge were broken.
TEST(Choice, ATaskThatComesOverAPipeIsRefusedWhereNoContractCanJudgeTheOtherOutputs) {
  auto checked = smallest_gelu();
  checked.contract = std::get<ByCheck>(checked.choice->contract);
  auto random = smallest_gelu();
  random.contract = Statistical{};
  auto both = dropout_with_mask();
  both.contract = std::get<ByCheck>(smallest_gelu().choice->contract);
  for (const auto& task : {checked, random, both}) {
    EXPECT_THAT([&] { TorchScript::compile(task); },
                testing::ThrowsMessage<BadInput>(HasSubstr("must be elementwise or exact")));
    const auto check = check_task(task, 5);
    EXPECT_FALSE(check.passed());
    EXPECT_THAT(check.items.back().message, HasSubstr("must be elementwise or exact"));
  }
}

TEST(CheckedTask, AnyOrderAndSignOfEigenvectorsPass) {
  for (const auto set : {InputSet::standard, InputSet::outlier}) {
    const Trial trial(eigenvectors(), set);
    const auto& w = trial.expected.own[0];
    const auto& v = trial.expected.own[1];
    EXPECT_TRUE(trial.judge_values({w, -v}).ok);
    const auto turned = trial.judge_values({at::flip(w, {0}), at::flip(v, {1})});
    EXPECT_TRUE(turned.ok) << turned.detail;
    const auto mixed = trial.judge_values({w, at::flip(v, {1})});
    EXPECT_THAT(mixed.detail, HasSubstr("'residual' is "));
  }
}

TEST(CheckedTask, TheSameEigenvectorManyTimesFails) {
  const Trial trial(eigenvectors());
  const auto w = at::ones_like(trial.expected.own[0]) * trial.expected.own[0][0];
  const auto v = trial.expected.own[1].narrow(1, 0, 1).expand({24, 24}).contiguous();
  const auto result = trial.judge_values({w, v});
  EXPECT_EQ(result.reason, Reason::wrong_values);
  EXPECT_THAT(result.detail, HasSubstr("columns that are not orthonormal"));
}

TEST(CheckedTask, NaNFails) {
  const Trial trial(eigenvectors());
  const auto result = trial.judge_values({trial.expected.own[0] * NAN, trial.expected.own[1]});
  EXPECT_FALSE(result.ok);
}

TEST(CheckedTask, OutputsOnWhichTheCheckFailsAreTheCandidatesFault) {
  auto task = eigenvectors();
  std::get<ByCheck>(task.contract) = {
      "def check(a, w, v, eps: float):\n    return torch.linalg.eigvalsh(v) * 0\n", {"residual"}};
  const Trial trial(task);
  EXPECT_TRUE(trial.judge_values(trial.expected.own).ok);
  const auto result = trial.judge_values({trial.expected.own[0], trial.expected.own[1] * NAN});
  EXPECT_EQ(result.reason, Reason::wrong_values);
  EXPECT_THAT(result.detail, HasSubstr("the task's check cannot be computed from these outputs"));
}

TEST(Choice, SoundTasksPassEveryItemOfTheirCheck) {
  for (const auto& task : {dropout_with_mask(), smallest_gelu(), eigenvectors()}) {
    const auto check = check_task(task, 3);
    for (const auto& item : check.items)
      EXPECT_TRUE(item.passed) << task.name << ", " << item.name << ": " << item.message;
  }
}

TEST(Choice, AScriptThatDoesNotFitIsNamedWithItsKey) {
  const auto fault = [](const Task& task) {
    try {
      const Trial trial(task);
      trial.judge_values(trial.expected.own);
    } catch (const BadInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  auto two_masks = dropout_with_mask();
  two_masks.choice->choose = "def choose(x, seed):\n    return torch.rand_like(x), torch.rand_like(x)\n";
  EXPECT_THAT(fault(two_masks),
              HasSubstr("'choose' returns 2 tensor(s), and the task declares 1 in its choice"));
  auto random = smallest_gelu();
  random.choice->choose = "def choose(x):\n    return torch.randint_like(x, 0, 300)[:, 0].long()\n";
  EXPECT_THAT(fault(random), HasSubstr("draws random numbers"));
  auto unnamed = eigenvectors();
  std::get<ByCheck>(unnamed.contract).names.pop_back();
  EXPECT_THAT(fault(unnamed), HasSubstr("its check returns 2 tensor(s), and 'names' has 1"));
  auto other = eigenvectors();
  std::get<ByCheck>(other.contract).check = "def test(a, w, v, eps: float):\n    return a\n";
  EXPECT_THAT(fault(other), HasSubstr("check: must define a function named 'check'"));
}

TEST(Choice, TimedCallsHaveNoSharedBounds) {
  for (const auto& task : {dropout_with_mask(), smallest_gelu(), eigenvectors()})
    EXPECT_FALSE(fit_error_bounds(task, Trial(task).expected)) << task.name;
}

}  // namespace
}  // namespace ridgeline::verifier
