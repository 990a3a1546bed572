// Nothing that a candidate does to a GPU slows the baseline of its speed-up.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/worker/judge/metric_log.hpp"
#include "tests/engine/worker/judge/gpu_judge.hpp"
#include "tests/engine/worker/judge/testcase.hpp"
#include "tests/places.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kAlike = 1.1;

class IdleBaselineOnGpu : public GpuJudge {
 protected:
  static Verdict judged_file(const std::string& name) {
    const auto testcase = read_testcase(places::sources() / "tests/testcases/cuda" / name);
    return judged(testcase.task, testcase.candidate);
  }
};

TEST_F(IdleBaselineOnGpu, IsMeasuredBeforeTheFirstCandidateOfATaskIsLoaded) {
  const auto file =
      std::filesystem::temp_directory_path() / ("first-baselines-" + std::to_string(::getpid()));
  ASSERT_EQ(judge_->quit(), 0);
  ::setenv(kMetricsVariable, file.c_str(), 1);
  judge_ = std::make_unique<JudgeProgram>("cuda:0");
  ::unsetenv(kMetricsVariable);
  const auto verdict = judged_file("attacks/reads_files_while_loading.cu");
  EXPECT_TRUE(verdict.failed_at()) << shown(verdict);
  nlohmann::json parts;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);)
    if (const auto request = nlohmann::json::parse(line); request["request"] == "judge vector_add")
      parts = request["parts"];
  std::filesystem::remove(file);
  ASSERT_TRUE(parts.contains("timing.baseline")) << parts;
  EXPECT_FALSE(parts.contains("timing.samples")) << parts;
}

/// Each is the first of its task in a new judge.
TEST_F(IdleBaselineOnGpu, IsNotSlowedByAKernelOfASecondThatTheCandidateLeft) {
  const auto slowed = judged_file("forged/leaves_long_kernel.cu");
  EXPECT_EQ(judge_->quit(), 0);
  judge_ = std::make_unique<JudgeProgram>("cuda:0");
  const auto honest = judged_file("honest/vector_add.cu");
  ASSERT_EQ(outcome_of(honest), "passed") << shown(honest);
  ASSERT_EQ(outcome_of(slowed), "passed") << "fair, and then nothing is seen of it here\n" << shown(slowed);
  for (std::size_t i = 0; i < honest.timing->cases.size(); ++i)
    EXPECT_LT(slowed.timing->cases.at(i).baseline_cold.median,
              kAlike * honest.timing->cases[i].baseline_cold.median)
        << shown(slowed);
}

}  // namespace
}  // namespace ridgeline::judge
