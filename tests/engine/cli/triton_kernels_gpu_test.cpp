// Native tasks answered in triton on a GPU: compiled while they are built, judged in the same buffers as
// kernels in cuda. Wants a Python whose torch was built for CUDA, with triton: RIDGELINE_PYTHON, else
// python3.
#include <gtest/gtest.h>

#include "tests/engine/cli/triton_kernels.hpp"

namespace ridgeline::cli {
namespace {

/// All honest kernels in parts that a warm worker judges in a minute or two: every kParts-th of them.
constexpr int kParts = 4;

class HonestTritonKernelsOnGpu : public testing::TestWithParam<int> {};

TEST_P(HonestTritonKernelsOnGpu, AreCorrectAndTimed) {
  const auto all = honest_triton_kernels();
  std::vector<TritonKernel> kernels;
  for (auto i = static_cast<std::size_t>(GetParam()); i < all.size(); i += kParts) kernels.push_back(all[i]);
  const auto batch = judged_on(kernels, "cuda", {"--no-counters"});
  expect_outcomes(kernels, batch);
  for (const auto& kernel : kernels) {
    if (outcome_of(batch, kernel.name) != "passed") continue;
    EXPECT_GT(batch.verdict(kernel.name).at("speedup"), 0) << kernel.name;
    std::printf("%s: speed-up %.2f\n", kernel.name.c_str(),
                batch.verdict(kernel.name).at("speedup").get<double>());
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, HonestTritonKernelsOnGpu, testing::Range(0, kParts));

TEST(TritonKernelsOnGpu, FindsOutMisbehavingKernelsAndCountsHonestKernels) {
  auto kernels = misbehaving_triton_kernels();
  ASSERT_GE(kernels.size(), 5u);
  for (auto& honest : honest_triton_kernels({"div", "std"})) kernels.push_back(std::move(honest));
  const auto batch = judged_on(kernels, "cuda");
  expect_outcomes(kernels, batch);
  for (const char* name : {"div", "std"})
    EXPECT_FALSE(batch.verdict(name).at("verdict").at("rooflines").empty()) << name;
}

}  // namespace
}  // namespace ridgeline::cli
