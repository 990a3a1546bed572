// Elements whose condition was drawn too small by chance: more draws find them, and only them.
#include "engine/verifier/more_draws.hpp"

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "engine/verifier/tolerance.hpp"
#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::int64_t kElements = 4096, kUnlucky = 17;

/// Two products an element. At kUnlucky all four draws came out a sixteenth of what they should have.
class MoreDraws : public testing::Test {
 protected:
  MoreDraws() {
    trial.expected.tolerance[0][kUnlucky].div_(16);
    trial.expected.scale[0][kUnlucky].div_(16);
  }

  at::Tensor in(int i) const { return trial.inputs[static_cast<std::size_t>(i)].to(at::kDouble); }
  /// The right result, but for `roundings` of the element's terms.
  at::Tensor off_by(double roundings) const {
    auto got = oracle.clone();
    got[kUnlucky] += roundings * 0x1p-24 * magnitude[kUnlucky].item<double>();
    return got;
  }
  bool passes_without(const at::Tensor& got) const {
    return compare(trial.task, trial.task.cases[0], trial.set, trial.expected, {got.to(at::kFloat)}).ok;
  }

  Trial trial{sample("sum_of_two_products", {{"N", kElements}},
                     {input("a", DType::float32, {"N"}), input("b", DType::float32, {"N"}),
                      input("c", DType::float32, {"N"}), input("d", DType::float32, {"N"}),
                      output("y", DType::float32, {"N"})},
                     "def reference(a, b, c, d):\n    return a * b + c * d\n", Elementwise{})};
  const at::Tensor oracle = trial.expected.oracle[0];
  const at::Tensor magnitude = (in(0) * in(1)).abs().add((in(2) * in(3)).abs());
};

TEST_F(MoreDraws, FindTheToleranceOfAnElementWhoseConditionIsSmallByChance) {
  EXPECT_FALSE(passes_without(off_by(2)));
  const auto compared = trial.judge_values({off_by(2)});
  EXPECT_TRUE(compared.ok) << compared.detail;
}

TEST_F(MoreDraws, MakeNoRoomForMoreThanRounding) {
  EXPECT_FALSE(trial.judge_values({off_by(100)}).ok);
  auto elsewhere = oracle.clone();
  elsewhere[kElements - 1] += 1e-4 * magnitude[kElements - 1].item<double>();
  EXPECT_FALSE(trial.judge_values({elsewhere}).ok);
}

TEST_F(MoreDraws, AreNotMadeForManyWrongElements) {
  const auto half = compare(trial.task, trial.task.cases[0], trial.set, trial.expected,
                            {(oracle + 1e-3 * magnitude).to(at::kFloat)});
  ASSERT_FALSE(half.ok);
  EXPECT_FALSE(may_pass_by_more_draws(trial.task, half));
}

TEST_F(MoreDraws, LowerNoToleranceAndRaiseNoneBeyondTheLimit) {
  const auto more = with_more_draws(trial.reference, trial.task, trial.task.cases[0], trial.set, trial.inputs,
                                    trial.expected);
  const auto ratio = more.tolerance[0].div(trial.expected.tolerance[0]);
  EXPECT_GE(ratio.min().item<double>(), 1);
  EXPECT_LE(ratio.max().item<double>(), raise_limit * 1.001);
  EXPECT_GT(ratio[kUnlucky].item<double>(), 8);
  EXPECT_LT(ratio.median().item<double>(), 2) << "most conditions were right";
}

TEST(MoreDrawsAtAJump, MakeNoRoomForItsOtherSide) {
  auto task = elementwise("torch.floor(x * 1000)");
  const Trial trial(task);
  auto got = trial.expected.oracle[0].clone();
  got[17] += 1;
  EXPECT_FALSE(trial.judge_values({got}).ok);
}

}  // namespace
}  // namespace ridgeline::verifier
