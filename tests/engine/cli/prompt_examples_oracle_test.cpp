// The solved examples that prompts show are judged like any answer: a wrong one would teach a mistake.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "tests/engine/cli/prompt_examples.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

class OraclePromptExamples : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
    const auto folder = fs::temp_directory_path() / ("ridgeline-examples-" + std::to_string(getpid()));
    ask_examples(batch_, folder, "torch", 1);
    ask_examples(batch_, folder, "triton", 4);
#ifdef RIDGELINE_NVCC  // a test that cannot run here is not there
    const auto path = fs::path(RIDGELINE_NVCC).parent_path().string() + ":" + ::getenv("PATH");
    ::setenv("PATH", path.c_str(), 1);
    ask_examples(batch_, folder, "torch_cuda", 7);
#endif
    batch_.run({"--suite", "kernelbench:" + folder.string(), "--no-torch-headers"});
    fs::remove_all(folder);
  }

  static Batch batch_;
};
Batch OraclePromptExamples::batch_;

TEST_F(OraclePromptExamples, AreRightBesideTheirTasks) {
  for (const auto* id : {"torch0", "torch1", "torch2", "triton0", "triton1", "triton2"}) {
    const auto& answer = batch_.verdict(id);
    EXPECT_EQ(answer.value("correct", false), true) << answer.dump(1);
    EXPECT_EQ(answer.at("verdict").at("faithful_correct"), true) << id;
  }
}

#ifdef RIDGELINE_NVCC
/// Whether their kernels are right is for a GPU to say (evaluate_module_gpu_test.cpp).
TEST_F(OraclePromptExamples, BuildInlineCudaWithTheStandIns) {
  for (const auto* id : {"torch_cuda0", "torch_cuda1", "torch_cuda2"}) {
    const auto& answer = batch_.verdict(id);
    EXPECT_EQ(batch_.stage(id, "build").at("status"), "passed") << answer.dump(1);
  }
}
#endif

}  // namespace
}  // namespace ridgeline::cli
