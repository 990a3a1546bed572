// A baseline is kept only if the device had nothing else to do meanwhile.
#include "engine/worker/judge/timing/idle_baseline.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <memory>

#include "engine/worker/judge/backends/host_backend.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/engine/worker/judge/timing/device_answers.hpp"

namespace ridgeline::judge {
namespace {

/// Answers as a device does: each response takes the next of `answers`, the last one for ever.
class AnsweringTelemetry final : public HostTelemetry {
 public:
  double response_seconds() override {
    const double answer = answers.front();
    if (answers.size() > 1) answers.pop_front();
    return answer;
  }
  std::deque<double> answers = {kIdleAnswer};
};

class AnsweringBackend final : public HostBackend {
 public:
  Telemetry& telemetry() override { return device; }
  AnsweringTelemetry device;
};

class IdleBaseline : public testing::Test {
 protected:
  BaselineOutcome measure(pid_t candidate = -1) {
    return measure_idle_baseline(prepared_, case_, candidate, backend_.clocks().sampling(0.06), false,
                                 BusyHostSlows::baseline_alone);
  }
  void SetUp() override {
    case_.timing_arena = backend_.memory().make_arena(prepared_.task(), case_.definition(), 96);
  }

  AnsweringBackend backend_;
  PreparedTask prepared_{testcase_task("vector_add"), 7, backend_};
  PreparedCase& case_ = *prepared_.cases().front();
};

TEST_F(IdleBaseline, IsKeptIfTheDeviceIsIdle) {
  const auto outcome = measure();
  ASSERT_TRUE(std::holds_alternative<BaselineKept>(outcome));
  EXPECT_EQ(std::get<BaselineKept>(outcome).drift, 1);
  EXPECT_TRUE(case_.baseline().kept());
}

TEST_F(IdleBaseline, WaitsForWorkThatWasLeftOnTheDevice) {
  backend_.device.answers = {kBusyAnswer, kBusyAnswer, kBusyAnswer, kIdleAnswer};
  EXPECT_TRUE(std::holds_alternative<BaselineKept>(measure()));
  EXPECT_TRUE(case_.baseline().kept());
}

TEST_F(IdleBaseline, IsMeasuredAgainIfOtherWorkRanBesideIt) {
  backend_.device.answers = {kIdleAnswer, kBusyAnswer, kBusyAnswer,
                             kIdleAnswer};  // idle before, and twice not after
  EXPECT_TRUE(std::holds_alternative<BaselineKept>(measure()));
  EXPECT_TRUE(case_.baseline().kept());
  EXPECT_EQ(backend_.device.answers.size(), 1u);
}

TEST_F(IdleBaseline, BesideOtherWorkThatNeverEndsOnlyAnEarlierBaselineStands) {
  backend_.device.answers = {kBusyAnswer};
  EXPECT_TRUE(std::holds_alternative<DeviceBusy>(measure()));
  EXPECT_FALSE(case_.baseline().kept());
  case_.baseline().rounds_ended({.median = 1, .low = 1, .high = 1});
  backend_.device.answers = {kIdleAnswer, kBusyAnswer};
  const auto outcome = measure();
  ASSERT_TRUE(std::holds_alternative<BaselineKept>(outcome));
  EXPECT_FALSE(std::get<BaselineKept>(outcome).drift) << "it was not checked";
  EXPECT_EQ(case_.baseline().kept()->median, 1) << "what was measured beside other work is not kept";
}

TEST_F(IdleBaseline, AConfirmedBaselineStaysConfirmedIfItCouldNotBeChecked) {
  case_.baseline().rounds_ended({.median = 1, .low = 1, .high = 1});
  case_.baseline().check_ended(1, BusyHostSlows::baseline_alone);
  backend_.device.answers = {kIdleAnswer, kBusyAnswer};
  const auto outcome = measure_idle_baseline(prepared_, case_, -1, backend_.clocks().sampling(0.06),
                                             /*check=*/true, BusyHostSlows::baseline_alone);
  EXPECT_FALSE(std::get<BaselineKept>(outcome).drift);
  EXPECT_TRUE(case_.baseline().confirmed());
  EXPECT_EQ(case_.baseline().reference_seconds(), 1) << "what was measured beside other work limits no call";
}

/// A process that computes although it is stopped, since another one continues it all the time.
class RunsWhilePaused {
 public:
  RunsWhilePaused() : candidate_(::fork()) {
    if (candidate_ == 0)
      for (;;) ::getppid();
    waker_ = ::fork();
    if (waker_ != 0) return;
    for (;;) {
      ::kill(candidate_, SIGCONT);
      ::usleep(200);
    }
  }
  RunsWhilePaused(const RunsWhilePaused&) = delete;  // it ends two processes once
  RunsWhilePaused& operator=(const RunsWhilePaused&) = delete;
  ~RunsWhilePaused() {
    for (const pid_t child : {waker_, candidate_}) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
  }
  pid_t pid() const { return candidate_; }

 private:
  pid_t candidate_ = -1, waker_ = -1;
};

TEST_F(IdleBaseline, ACandidateThatRunsWhilePausedIsReportedAndNothingIsKept) {
  auto candidate = std::make_unique<RunsWhilePaused>();
  const auto outcome = measure(candidate->pid());
  candidate.reset();
  EXPECT_TRUE(std::holds_alternative<CandidateRan>(outcome));
  EXPECT_FALSE(case_.baseline().kept());
  EXPECT_EQ(case_.baseline().reference_seconds(), 0);
}

TEST_F(IdleBaseline, AnEarlierBaselineStandsUnconfirmedAfterACandidateRanWhilePaused) {
  // So slow that any measurement replaces it.
  case_.baseline().rounds_ended({.median = 1, .low = 1, .high = 1});
  case_.baseline().check_ended(1, BusyHostSlows::baseline_alone);
  auto candidate = std::make_unique<RunsWhilePaused>();
  const auto outcome =
      measure_idle_baseline(prepared_, case_, candidate->pid(), backend_.clocks().sampling(0.06),
                            /*check=*/true, BusyHostSlows::baseline_alone);
  candidate.reset();
  EXPECT_TRUE(std::holds_alternative<CandidateRan>(outcome));
  EXPECT_EQ(case_.baseline().kept()->median, 1);
  EXPECT_FALSE(case_.baseline().confirmed()) << "the next candidate checks it";
  EXPECT_EQ(case_.baseline().reference_seconds(), 1);
}

}  // namespace
}  // namespace ridgeline::judge
