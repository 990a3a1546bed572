// torch.compile of a task's own module, with the real inductor and the system's compiler: seconds each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "tests/engine/cli/batch.hpp"
#include "tests/engine/cli/program.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

/// A task whose forward returns `value`.
std::string task_file(const std::string& value) {
  return "import torch\n\n\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return " +
         value +
         "\n\n\ndef get_inputs():\n    return [torch.rand(64, 48)]\n\n\ndef get_init_inputs():\n    return "
         "[]\n";
}

class OracleTorchCompile : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
    const auto folder = fs::temp_directory_path() / ("ridgeline-compiled-" + std::to_string(::getpid()));
    fs::create_directories(folder / "level1");
    write_file(folder / "level1/1_sines.py", task_file("torch.sin(x) * 2 + torch.cos(x)"));
    write_file(folder / "level1/2_tells.py", task_file("x * (3 if torch.compiler.is_compiling() else 2)"));
    batch_.ask_compiled("sines", "level1/1_sines", "default");
    batch_.ask_compiled("tells", "level1/2_tells", "default");
    batch_.run({"--suite", "kernelbench:" + folder.string()});
    fs::remove_all(folder);
  }
  static Batch batch_;
};
Batch OracleTorchCompile::batch_;

TEST_F(OracleTorchCompile, IsJudgedAndTimedBesideEager) {
  const auto& answer = batch_.verdict("sines");
  ASSERT_EQ(answer.at("correct"), true) << answer.dump(1);
  const auto& verdict = answer.at("verdict");
  EXPECT_EQ(verdict.at("notes").at(0), "the task's own module under torch.compile, mode default");
  EXPECT_GT(verdict.at("timing").at("cases").at(0).at("baseline_cold").at("median"), 0);
  EXPECT_EQ(batch_.stage("sines", "profile").at("status"), "not_reached") << "nothing is counted";
}

TEST_F(OracleTorchCompile, IsTheCodeThatRunsAndMayBeWrong) {
  EXPECT_EQ(batch_.reason("tells", "correctness"), "wrong_values") << batch_.verdict("tells").dump(1);
}

}  // namespace
}  // namespace ridgeline::cli
