// A random choice is judged on a GPU as on the CPU: the mask by its distribution, the rest by what follows.
#include "engine/verifier/choice.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/rand_like.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/verifier/faithful.hpp"
#include "engine/verifier/inputs.hpp"
#include "engine/verifier/on_device.hpp"
#include "engine/verifier/seeds.hpp"
#include "engine/verifier/torch_setup.hpp"
#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

using Tensors = std::vector<at::Tensor>;

class RandomChoiceOnGpu : public testing::Test {
 protected:
  static void SetUpTestSuite() { load_cuda_half(0); }

  RandomChoiceOnGpu() : task_(dropout_with_mask(1 << 20)), reference_(TorchScript::compile(task_)) {
    reference_.place_on_cuda(0);
    inputs_ = moved_to_reference_device(reference_, task_,
                                        draw_inputs(task_, definition(), InputSet::standard, 5, &reference_));
    expected_ = expect(reference_, task_, definition(), InputSet::standard, inputs_);
  }

  const Case& definition() const { return task_.cases.front(); }
  const at::Tensor& x() const { return inputs_[0]; }
  at::Tensor kept(double dropped = 0.25) const { return at::rand_like(x()) >= dropped; }
  Tensors call_with(const at::Tensor& mask) const { return {mask, x() * mask / 0.75}; }
  Comparison judge(const Tensors& outputs) const {
    return compare_outputs(reference_, task_, definition(), InputSet::standard, inputs_, expected_, outputs);
  }
  Comparison compare_with(const at::Tensor& first, const at::Tensor& second) const {
    return compare_random_calls(task_, definition(), InputSet::standard, expected_,
                                {call_with(first), call_with(second)});
  }

  Task task_;
  TorchScript reference_;
  Tensors inputs_;
  Expected expected_;
};

TEST_F(RandomChoiceOnGpu, NothingButTheChoiceLeavesTheDevice) {
  ASSERT_TRUE(judged_on_device(task_));
  EXPECT_TRUE(x().is_cuda());
  EXPECT_TRUE(expected_.oracle[1].is_cuda());
  EXPECT_TRUE(expected_.draws[0].is_cpu());
  EXPECT_EQ(expected_.draws[0].scalar_type(), at::kBool);
}

TEST_F(RandomChoiceOnGpu, AnyMaskOfTheRightRatePassesWithTheOutputThatFitsIt) {
  const auto result = judge(call_with(kept()));
  EXPECT_TRUE(result.ok) << result.detail;
}

TEST_F(RandomChoiceOnGpu, AnOutputThatDoesNotFitItsMaskFails) {
  const auto mask = kept();
  const auto other = judge({mask, x() * kept() / 0.75});
  ASSERT_TRUE(other.mismatch) << other.detail;
  EXPECT_EQ(other.mismatch->output, "y");
  auto one_off = call_with(mask);
  one_off[1][4711] += 0.001;
  const auto found = judge(one_off);
  ASSERT_TRUE(found.mismatch) << found.detail;
  EXPECT_EQ(found.mismatch->wrong, 1);
}

TEST_F(RandomChoiceOnGpu, AMaskOfAnotherRateOrNoneFails) {
  for (const auto& mask : {kept(0.26), (at::arange(x().numel(), x().options()) % 4 != 0)}) {
    const auto result = judge(call_with(mask));
    ASSERT_TRUE(result.mismatch) << result.detail;
    EXPECT_EQ(result.mismatch->output, "mask") << result.detail;
  }
}

TEST_F(RandomChoiceOnGpu, CallsWithOtherSeedsMustChooseAnew) {
  const auto mask = kept();
  EXPECT_TRUE(compare_with(mask, kept()).ok);
  EXPECT_FALSE(compare_with(mask, mask).ok);
}

TEST_F(RandomChoiceOnGpu, ThePublicRuleAsksForFiniteValuesAlone) {
  auto outputs = call_with(kept());
  EXPECT_TRUE(faithful_correct(task_, expected_, outputs));
  outputs[1][7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(faithful_correct(task_, expected_, outputs));
}

TEST_F(RandomChoiceOnGpu, OtherSeedsLieOnTheDevice) {
  const auto calls = inputs_with_other_seeds(task_, definition(), inputs_, 3);
  ASSERT_FALSE(calls.empty());
  for (const auto& others : calls) {
    EXPECT_TRUE(others[1].is_cuda());
    EXPECT_TRUE(seeds_differ(task_, definition(), inputs_, others));
  }
}

}  // namespace
}  // namespace ridgeline::verifier
