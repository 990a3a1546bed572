// A baseline is kept only where the device had nothing else to do meanwhile.
#include "engine/worker/judge/timing/quiet_baseline.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <deque>

#include "engine/worker/judge/backends/host_backend.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kAtOnce = 20e-6, kBusy = 2e-3;  // seconds that a device takes to answer

/// A CPU that answers as a device would: each look takes the next of `answers`, the last of them for ever.
class AnsweringBackend : public HostBackend {
 public:
  double settle() override {
    const double answer = answers.front();
    if (answers.size() > 1) answers.pop_front();
    return answer;
  }
  std::deque<double> answers = {kAtOnce};
};

class QuietBaseline : public testing::Test {
 protected:
  QuietLook keep(pid_t candidate = -1) {
    return keep_in_quiet(prepared_, one_, candidate, backend_.sampling(0.06), false,
                         BusyHostSlows::baseline_alone);
  }
  void SetUp() override { one_.timing_arena = backend_.make_arena(prepared_.task(), one_.definition(), 96); }

  AnsweringBackend backend_;
  PreparedTask prepared_{testcase_task("vector_add"), 7, backend_};
  PreparedCase& one_ = *prepared_.cases().front();
};

TEST_F(QuietBaseline, OfAnIdleDeviceItIsKept) {
  const auto found = keep();
  ASSERT_TRUE(std::holds_alternative<BaselineKept>(found));
  EXPECT_EQ(std::get<BaselineKept>(found).drift, 1);
  EXPECT_TRUE(one_.baseline);
}

TEST_F(QuietBaseline, WhatWasLeftOnTheDeviceIsWaitedFor) {
  backend_.answers = {kBusy, kBusy, kBusy, kAtOnce};
  EXPECT_TRUE(std::holds_alternative<BaselineKept>(keep()));
  EXPECT_TRUE(one_.baseline);
}

TEST_F(QuietBaseline, WhatWasMeasuredBesideOtherWorkIsMeasuredOnceMore) {
  backend_.answers = {kAtOnce, kBusy, kBusy, kAtOnce};  // idle before, and twice not after
  EXPECT_TRUE(std::holds_alternative<BaselineKept>(keep()));
  EXPECT_TRUE(one_.baseline);
  EXPECT_EQ(backend_.answers.size(), 1u);
}

TEST_F(QuietBaseline, BesideOtherWorkThatNeverEndsThereIsNoneButThatFromBefore) {
  backend_.answers = {kBusy};
  EXPECT_TRUE(std::holds_alternative<DeviceBusy>(keep()));
  EXPECT_FALSE(one_.baseline);
  one_.baseline = Duration{.median = 1, .low = 1, .high = 1};
  backend_.answers = {kAtOnce, kBusy};
  const auto found = keep();
  ASSERT_TRUE(std::holds_alternative<BaselineKept>(found));
  EXPECT_FALSE(std::get<BaselineKept>(found).drift) << "it was not looked at";
  EXPECT_EQ(one_.baseline->median, 1) << "what was measured beside other work is not kept";
}

TEST_F(QuietBaseline, OneThatRunsForAllThatIsToldAndNothingOfItKept) {
  const pid_t candidate = ::fork();
  if (candidate == 0)
    for (;;) ::getppid();
  const pid_t waker = ::fork();
  if (waker == 0)
    for (;;) {
      ::kill(candidate, SIGCONT);
      ::usleep(200);
    }
  const auto found = keep(candidate);
  for (const pid_t one : {waker, candidate}) {
    ::kill(one, SIGKILL);
    ::waitpid(one, nullptr, 0);
  }
  EXPECT_TRUE(std::holds_alternative<CandidateRan>(found));
  EXPECT_FALSE(one_.baseline);
}

}  // namespace
}  // namespace ridgeline::judge
