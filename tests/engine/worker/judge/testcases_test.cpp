// Every kernel of tests/testcases, honest or not, through the real judge and runner: the verdict that its
// header comment expects, with the same reason, on an idle machine and with both cores busy.
//
//   // task: vector_add
//   // expect: timing wrong_when_timed | correctness wrong_values
//   // with: takeover.inc                (texts that stand before it, files of the same folder)
//   // cheated: yes                      (only where the verdict must say so; `no` where it must not)
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "tests/engine/worker/judge/builds.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/engine/worker/judge/testcase.hpp"

namespace ridgeline::judge {
namespace {

/// One judge for all: whatever a candidate does, the next one must be judged as if it had never been.
class Testcases : public testing::TestWithParam<Testcase> {
 protected:
  static void SetUpTestSuite() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // so that what a runner leaves behind comes to us
    judge_ = std::make_unique<JudgeProgram>();
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(judge_->quit(), 0);
    judge_.reset();
    int status = 0;
    EXPECT_EQ(::waitpid(-1, &status, WNOHANG), -1) << "a process is left over";
    EXPECT_EQ(errno, ECHILD);
  }
  static std::unique_ptr<JudgeProgram> judge_;
};
std::unique_ptr<JudgeProgram> Testcases::judge_;

TEST_P(Testcases, HasItsVerdict) {
  const auto& testcase = GetParam();
  const auto verdict = judge_candidate(*judge_, testcase.task, testcase.candidate);
  std::printf("%s\n%s", testcase.name.c_str(), shown(verdict).c_str());
  expect_verdict(testcase, verdict);
}

INSTANTIATE_TEST_SUITE_P(All, Testcases, testing::ValuesIn(testcases(Language::cpp)),
                         [](const auto& instance) { return instance.param.name; });

/// Two processes that never rest.
class BusyCores {
 public:
  BusyCores() {
    for (auto& pid : pids_) {
      pid = ::fork();
      if (pid != 0) continue;
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (;;) asm volatile("");
    }
  }
  BusyCores(const BusyCores&) = delete;
  BusyCores& operator=(const BusyCores&) = delete;
  ~BusyCores() {
    for (const auto pid : pids_) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }

 private:
  pid_t pids_[2];
};

TEST(TestcasesUnderLoad, KeepTheirVerdicts) {
  const auto all = testcases(Language::cpp);
  for (const auto& testcase : all) build(testcase.task, testcase.candidate);
  JudgeProgram judge;
  const BusyCores busy;
  for (const auto& testcase : all)
    expect_verdict(testcase, judge_candidate(judge, testcase.task, testcase.candidate));
}

}  // namespace
}  // namespace ridgeline::judge
