// What a candidate leaves on a GPU does not slow the baseline that it is held against.
#include <gtest/gtest.h>

#include "tests/engine/worker/judge/gpu_judge.hpp"
#include "tests/engine/worker/judge/testcase.hpp"
#include "tests/places.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kAlike = 1.1;

class QuietBaselineOnGpu : public GpuJudge {
 protected:
  static Verdict judged_file(const std::string& name) {
    const auto one = read_testcase(places::sources() / "tests/testcases/cuda" / name);
    return judged(one.task, one.candidate);
  }
};

/// The first of its task in a judge that is new: so the baseline is measured beside what it left there.
TEST_F(QuietBaselineOnGpu, OfAKernelOfASecondNothingIsSeenInIt) {
  const auto slowed = judged_file("forged/leaves_long_kernel.cu");
  std::printf("leaves_long_kernel: %s\n", outcome_of(slowed).c_str());
  const auto honest = judged_file("honest/vector_add.cu");
  ASSERT_EQ(outcome_of(honest), "passed") << shown(honest);
  if (slowed.failed_at()) return;  // it may also be told that the device was never idle
  EXPECT_LT(slowed.timing->cases.front().baseline_cold.median,
            kAlike * honest.timing->cases.front().baseline_cold.median)
      << shown(slowed);
}

}  // namespace
}  // namespace ridgeline::judge
