// Native tasks answered in triton on a CPU, whose interpreter executes the kernels: the whole chain.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/engine/cli/triton_kernels.hpp"

namespace ridgeline::cli {
namespace {

class OracleTritonKernels : public testing::Test {
 protected:
  static void SetUpTestSuite() { ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1); }
};

TEST_F(OracleTritonKernels, HonestOnesAreRightInAllCases) {
  const auto kernels = honest_triton_kernels();
  ASSERT_GE(kernels.size(), 20u);
  expect_outcomes(kernels, judged_on(kernels, "cpu", {"--no-time"}));
}

TEST_F(OracleTritonKernels, MisbehavingOnesAreFoundOutAndHonestOnesTimed) {
  const auto misbehaving = misbehaving_triton_kernels();
  ASSERT_GE(misbehaving.size(), 5u);
  const auto honest = honest_triton_kernels({"relu", "layer_norm", "adam"});
  auto all = misbehaving;
  all.insert(all.end(), honest.begin(), honest.end());
  const auto batch = judged_on(all, "cpu");
  expect_outcomes(all, batch);
  for (const auto& kernel : honest) EXPECT_GT(batch.verdict(kernel.name).at("speedup"), 0) << kernel.name;
}

TEST_F(OracleTritonKernels, AnAnswerWithoutTheTasksFunctionIsToldSoWithItsName) {
  Batch batch;
  batch.ask("class", "relu", "triton", "import torch\nclass ModelNew(torch.nn.Module):\n    pass\n");
  batch.ask("arguments", "relu", "triton", "import triton\n\ndef kernel_relu(x, y):\n    pass\n");
  batch.ask("kernel", "relu", "triton",
            "import triton\n\n@triton.jit\ndef kernel_relu(x, y, N):\n    pass\n");
  batch.ask("torch", "relu", "torch", "import torch\nclass ModelNew(torch.nn.Module):\n    pass\n");
  batch.run({"--isolation", "none"});
  EXPECT_EQ(batch.reason("class", "build"), "missing_entry_point");
  EXPECT_NE(batch.detail("class", "build").find("kernel_relu"), std::string::npos);
  EXPECT_EQ(batch.reason("arguments", "build"), "compile_error");
  EXPECT_NE(batch.detail("arguments", "build").find("takes 2 arguments (x, y); it is called with 3"),
            std::string::npos)
      << batch.detail("arguments", "build");
  EXPECT_EQ(batch.reason("kernel", "call"), "missing_entry_point");
  EXPECT_EQ(batch.reason("torch", "build"), "unsupported");
}

}  // namespace
}  // namespace ridgeline::cli
