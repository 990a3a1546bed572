// Native tasks answered in triton on a GPU: compiled while they are built, judged in the same buffers as
// kernels in cuda. Wants a Python whose torch was built for CUDA, with triton: RIDGELINE_PYTHON, else
// python3.
#include <gtest/gtest.h>

#include "tests/engine/cli/triton_kernels.hpp"

namespace ridgeline::cli {
namespace {

/// One of each kind of access: what a warm worker judges in a minute, of 14 categories.
const std::set<std::string> on_gpu = {"adam",        "adaptive_avg_pool2d",
                                      "argmax",      "attention",
                                      "avg_pool1d",  "batch_norm",
                                      "conv2d",      "cross_entropy",
                                      "gelu",        "index_select",
                                      "layer_norm",  "interpolate",
                                      "matmul",      "matmul_bf16",
                                      "matmul_w8a8", "mean",
                                      "mse_loss",    "permute_copy",
                                      "rand",        "relu",
                                      "scatter",     "sigmoid",
                                      "softmax"};

TEST(TritonKernelsOnGpu, HonestKernelsAreCorrectAndTimed) {
  const auto kernels = honest_triton_kernels(on_gpu);
  ASSERT_EQ(kernels.size(), on_gpu.size());
  const auto batch = judged_on(kernels, "cuda", {"--no-counters"});
  expect_outcomes(kernels, batch);
  for (const auto& kernel : kernels) {
    if (outcome_of(batch, kernel.name) != "passed") continue;
    EXPECT_GT(batch.verdict(kernel.name).at("speedup"), 0) << kernel.name;
    std::printf("%s: speed-up %.2f\n", kernel.name.c_str(),
                batch.verdict(kernel.name).at("speedup").get<double>());
  }
}

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
