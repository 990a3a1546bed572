// A kernel that a candidate leaves running on a GPU does not slow the baseline of its speed-up.
#include <gtest/gtest.h>

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

/// Each is the first of its task in a new judge, so one baseline is measured beside the kernel that was left.
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
