// Bounds fitted and held on a GPU are those of the CPU.
#include <ATen/ops/stack.h>
#include <gtest/gtest.h>

#include "engine/verifier/error_bounds.hpp"
#include "engine/verifier/torch_setup.hpp"
#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

class ErrorBoundsOnGpu : public testing::Test {
 protected:
  static void SetUpTestSuite() { load_cuda_half(0); }
};

std::vector<OutputBounds> bounds_from_gpu(const Trial& known) {
  auto expected = known.expected;
  for (auto* tensors : {&expected.oracle, &expected.tolerance, &expected.own})
    for (auto& tensor : *tensors)
      if (tensor.defined()) tensor = tensor.to(at::kCUDA);
  return fit_error_bounds(known.task, expected).value();
}

TEST_F(ErrorBoundsOnGpu, AreFittedAsOnTheCpu) {
  for (const auto& task : {row_sum(), matmul(DType::float16), elementwise("torch.exp(x)"),
                           elementwise("torch.relu(x)"), elementwise("torch.sqrt(x)"), matmul_w8a8()}) {
    const Trial known(task);
    const auto here = fit_error_bounds(known.task, known.expected).value(), there = bounds_from_gpu(known);
    for (std::size_t i = 0; i < here.size(); ++i) {
      EXPECT_EQ(there[i].equal, here[i].equal);
      EXPECT_EQ(there[i].infinite, here[i].infinite);
      EXPECT_NEAR(there[i].all.constant, here[i].all.constant, 1e-9 * here[i].all.constant) << task.name;
      EXPECT_NEAR(there[i].all.relative, here[i].all.relative, 1e-9 * here[i].all.relative) << task.name;
      EXPECT_NEAR(there[i].most.constant, here[i].most.constant, 1e-9 * here[i].most.constant) << task.name;
      EXPECT_NEAR(there[i].most.relative, here[i].most.relative, 1e-9 * here[i].most.relative) << task.name;
    }
  }
}

TEST_F(ErrorBoundsOnGpu, AreHeldAsOnTheCpu) {
  for (const auto& task : {row_sum(), matmul(DType::float16), elementwise("torch.exp(x)"), matmul_w8a8()}) {
    const Trial known(task);
    const auto bounds = bounds_from_gpu(known)[0];
    const auto own = known.expected.own[0].reshape(-1);
    auto wrong = own.clone();
    wrong[11] += 3;
    const auto lower = own.to(at::kFloat).mul(1.02).to(own.scalar_type());
    const auto got = at::stack({own, wrong, lower}).to(at::kCUDA);
    const auto flags = rows_within(got, at::stack({own, own, own}).to(at::kCUDA), bounds);
    ASSERT_TRUE(flags.is_cuda());
    EXPECT_TRUE(flags[0].item<bool>()) << task.name;
    EXPECT_FALSE(flags[1].item<bool>()) << task.name;
    EXPECT_FALSE(flags[2].item<bool>()) << task.name;
  }
}

}  // namespace
}  // namespace ridgeline::verifier
