// What a candidate does in final cases decides nothing, and no final case is shown as right that was not run.
#include <gmock/gmock.h>

#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

constexpr const char* kEndsInFinalCases = R"(
#include <cstdint>
#include <cstdlib>
extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  if (N == 40031) std::abort();
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
)";

TEST(FinalCases, ThatCouldNotRunSinceTheCandidateEndedAreShownAsFailed) {
  auto task = testcase_task("vector_add");
  auto second = task.cases.back();
  ASSERT_TRUE(second.final);
  second.name = "second_report";
  second.sizes["N"] = 40033;
  task.cases.push_back(second);
  JudgeProgram judge;
  const auto verdict = judge_source(judge, task, kEndsInFinalCases, {.final_cases = true});
  EXPECT_EQ(verdict.at(Stage::correctness).status, Status::passed) << shown(verdict);
  EXPECT_THAT(verdict.final_failures, testing::ElementsAre("report", "second_report")) << shown(verdict);
}

}  // namespace
}  // namespace ridgeline::judge
