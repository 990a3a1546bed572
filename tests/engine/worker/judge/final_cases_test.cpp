// Tests candidates that fail in `final` cases: their verdicts stay, and the cases are reported as failed.
#include <gmock/gmock.h>

#include "engine/core/task.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

using testing::ElementsAre;

/// vector_add with final cases of 40031 ("report"), 50021 ("longer") and 2053 elements ("last").
Task with_three_final_cases() {
  auto task = testcase_task("vector_add");
  task.cases.push_back({.name = "longer", .sizes = {{"N", 50021}}, .final = true});
  task.cases.push_back({.name = "last", .sizes = {{"N", 2053}}, .final = true});
  task.hash = hash_of(task);
  return task;
}

/// Asks for more scratch memory than there may be, in two of the final cases.
constexpr const char* kRefused = R"(
#include <cstddef>
#include <cstdint>
extern "C" size_t kernel_vector_add_workspace(int64_t N) {
  return N == 40031 || N == 50021 ? size_t{1} << 50 : 64;
}
extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*, void*) {
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
)";

constexpr const char* kEnds = R"(
#include <cstdint>
#include <cstdlib>
extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  if (N == 40031) std::abort();
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
)";

TEST(FinalCases, WhoseCallsAreRefusedFailAndTheNextOnesRun) {
  JudgeProgram judge;
  const auto verdict = judge_source(judge, with_three_final_cases(), kRefused, {.final_cases = true});
  EXPECT_EQ(verdict.at(Stage::call).status, Status::passed) << shown(verdict);
  EXPECT_EQ(verdict.at(Stage::correctness).status, Status::passed) << shown(verdict);
  EXPECT_EQ(verdict.at(Stage::timing).status, Status::passed) << shown(verdict);
  EXPECT_THAT(verdict.final_failures, ElementsAre("report", "longer")) << shown(verdict);
}

TEST(FinalCases, AllFailFromTheOneInWhichTheRunnerEnds) {
  JudgeProgram judge;
  const auto verdict = judge_source(judge, with_three_final_cases(), kEnds, {.final_cases = true});
  EXPECT_EQ(verdict.at(Stage::correctness).status, Status::passed) << shown(verdict);
  EXPECT_THAT(verdict.final_failures, ElementsAre("report", "longer", "last")) << shown(verdict);
}

}  // namespace
}  // namespace ridgeline::judge
