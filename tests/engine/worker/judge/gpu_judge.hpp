// Fixture of tests that share one judge on the first GPU.
#pragma once

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "tests/engine/worker/judge/builds.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {

/// One judge for all tests of a suite: whatever a candidate does, the next one must be judged as if it had
/// never been.
class GpuJudge : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // so that what a runner leaves behind comes to us
    judge_ = std::make_unique<JudgeProgram>("cuda:0");
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(judge_->quit(), 0);
    judge_.reset();
    int status = 0;
    EXPECT_EQ(::waitpid(-1, &status, WNOHANG), -1) << "a process is left over";
    EXPECT_EQ(errno, ECHILD);
  }

  /// A judge that is lost fails the test at hand; the others get a new one, as the agent would start.
  static Verdict judged(const Task& task, const Candidate& candidate,
                        const protocol::EvaluateSettings& settings = {}) try {
    return judge_candidate(*judge_, task, candidate, settings);
  } catch (const std::exception&) {
    judge_->kill();
    judge_ = std::make_unique<JudgeProgram>("cuda:0");
    throw;
  }

  static std::unique_ptr<JudgeProgram> judge_;
};
inline std::unique_ptr<JudgeProgram> GpuJudge::judge_;

/// Returns whether --gtest_filter selects the test with parameter `name` of a parameterised suite.
inline bool to_run(const std::string& suite, const std::string& name) {
  const auto& unit = *testing::UnitTest::GetInstance();
  for (int s = 0; s < unit.total_test_suite_count(); ++s) {
    const auto& tests = *unit.GetTestSuite(s);
    if (tests.name() != suite) continue;
    for (int i = 0; i < tests.total_test_count(); ++i)
      if (tests.GetTestInfo(i)->should_run() &&
          std::string(tests.GetTestInfo(i)->name()).ends_with('/' + name))
        return true;
  }
  return false;
}

}  // namespace ridgeline::judge
