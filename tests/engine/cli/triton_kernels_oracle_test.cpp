// Native tasks answered in triton on a CPU, whose interpreter executes the kernels: the whole chain.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/engine/cli/program.hpp"
#include "tests/engine/cli/triton_kernels.hpp"
#include "tests/places.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

/// A task file with what the examples of prompts are about: shapes and reference in lines of their own.
std::string task_file(const std::string& name, const std::string& sizes, const std::string& parameters,
                      const std::string& small, const std::string& ragged, const std::string& value) {
  return "name: " + name + "\ncategory: Math\ndifficulty: 1\ndescription: An example.\nformula: y\nsizes: [" +
         sizes + "]\nparameters:\n" + parameters + "cases:\n  - {name: small, sizes: {" + small +
         "}, timed: true}\n  - {name: unseen, sizes: {" + ragged +
         "}, hidden: true}\n  - {name: report, sizes: {" + ragged +
         "}, final: true}\nreference: |\n  def reference(" + value +
         "\ncontract: {kind: elementwise, reduction: 2048}\noperations: 1\nbytes: 4\n";
}
std::string tensor(const std::string& name, const std::string& role, const std::string& shape) {
  return "  - {tensor: " + name + ", dtype: float32, role: " + role + ", shape: [" + shape + "]}\n";
}

class OracleTritonKernels : public testing::Test {
 protected:
  static void SetUpTestSuite() { ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1); }
};

TEST_F(OracleTritonKernels, HonestKernelsAreCorrectInAllCases) {
  const auto kernels = honest_triton_kernels();
  ASSERT_GE(kernels.size(), 80u);
  expect_outcomes(kernels, judged_on(kernels, "cpu", {"--no-time"}));
}

TEST_F(OracleTritonKernels, FindsOutMisbehavingKernelsAndTimesHonestKernels) {
  const auto misbehaving = misbehaving_triton_kernels();
  ASSERT_GE(misbehaving.size(), 5u);
  const auto honest = honest_triton_kernels({"relu", "layer_norm", "adam"});
  auto all = misbehaving;
  all.insert(all.end(), honest.begin(), honest.end());
  const auto batch = judged_on(all, "cpu");
  expect_outcomes(all, batch);
  for (const auto& kernel : honest) EXPECT_GT(batch.verdict(kernel.name).at("speedup"), 0) << kernel.name;
}

TEST_F(OracleTritonKernels, ReportsTheNameOfAMissingFunction) {
  Batch batch;
  batch.ask("class", "relu", "triton", "import torch\nclass ModelNew(torch.nn.Module):\n    pass\n");
  batch.ask("arguments", "relu", "triton", "import triton\n\ndef kernel_relu(x, y):\n    pass\n");
  batch.ask("keyword", "relu", "triton", "import triton\n\ndef kernel_relu(x, y, N, *, BLOCK):\n    pass\n");
  batch.ask("bound again", "relu", "triton",
            "import functools\nimport triton\n\ndef kernel_relu(BLOCK, x, y, N):\n    pass\n\n"
            "kernel_relu = functools.partial(kernel_relu, 64)\n");
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
  EXPECT_EQ(batch.reason("keyword", "build"), "compile_error");
  EXPECT_NE(batch.detail("keyword", "build").find("BLOCK, by keyword"), std::string::npos)
      << batch.detail("keyword", "build");
  EXPECT_EQ(batch.reason("bound again", "build"), "none") << batch.detail("bound again", "build");
  EXPECT_EQ(batch.reason("kernel", "call"), "missing_entry_point");
  EXPECT_EQ(batch.reason("torch", "build"), "unsupported");
}

TEST_F(OracleTritonKernels, ExamplesOfPromptsAreRight) {
  const auto folder = fs::temp_directory_path() / ("ridgeline-triton-examples-" + std::to_string(getpid()));
  fs::create_directories(folder / "Math");
  const std::vector<std::pair<std::string, std::string>> tasks = {
      {"row_maximum",
       task_file("row_maximum", "M, N", tensor("x", "in", "M, N") + tensor("y", "out", "M"), "M: 4, N: 16",
                 "M: 13, N: 5003", "x):\n      return torch.amax(x, [1], False)")},
      {"linear_relu",
       task_file("linear_relu", "M, N, K",
                 tensor("x", "in", "M, K") + tensor("w", "in", "N, K") + tensor("bias", "in", "N") +
                     tensor("y", "out", "M, N"),
                 "M: 8, N: 16, K: 32", "M: 33, N: 71, K: 45",
                 "x, w, bias):\n      return torch.relu(torch.nn.functional.linear(x, w, bias))")},
      {"total", task_file("total", "N", tensor("x", "in", "N") + tensor("y", "out", ""), "N: 64", "N: 30001",
                          "x):\n      return torch.sum(x)")}};
  auto answers = python_blocks("prompts/common/example_triton_kernel.md");
  for (auto& more : python_blocks("prompts/common/examples_more_triton_kernel.md")) answers.push_back(more);
  ASSERT_EQ(answers.size(), 2 * tasks.size()) << "a stub and an answer each";
  Batch batch;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto file = folder / "Math" / (tasks[i].first + ".yaml");
    write_file(file, tasks[i].second);
    EXPECT_EQ(ridgeline({"tasks", "show", file, "--stub", "triton"}).out, answers[2 * i] + "\n");
    batch.ask(tasks[i].first, file, "triton", answers[2 * i + 1]);
  }
  batch.run({"--isolation", "none", "--fallback", "reject", "--no-time"});
  for (const auto& [name, unused] : tasks)
    EXPECT_EQ(outcome_of(batch, name), "passed") << batch.failure(name);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ridgeline::cli
