// When a device counts as idle, by how fast it answers.
#include "engine/worker/judge/timing/device_idle.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <utility>

#include "engine/worker/judge/tasks/telemetry.hpp"
#include "tests/engine/worker/judge/timing/device_answers.hpp"

namespace ridgeline::judge {
namespace {

/// Answers in the times given, and counts how often it was asked.
class RecordingTelemetry final : public Telemetry {
 public:
  explicit RecordingTelemetry(std::deque<double> answers) : answers_(std::move(answers)) {}
  double response_seconds() override {
    ++asked;
    const double answer = answers_.front();
    if (answers_.size() > 1) answers_.pop_front();
    return answer;
  }
  const Ceilings& ceilings() override { return ceilings_; }
  double theoretical_bandwidth() override { return 0; }
  int asked = 0;

 private:
  std::deque<double> answers_;
  Ceilings ceilings_;
};

TEST(DeviceIdle, IsWaitedForUntilTheDeviceAnswersFast) {
  RecordingTelemetry device({kBusyAnswer, kBusyAnswer, kIdleAnswer});
  EXPECT_TRUE(wait_until_idle(device));
  EXPECT_EQ(device.asked, 3);
}

TEST(DeviceIdle, IsGivenUpIfTheDeviceStaysBusy) {
  RecordingTelemetry device({kBusyAnswer});
  EXPECT_FALSE(wait_until_idle(device));
  EXPECT_GT(device.asked, 1);
}

TEST(DeviceIdle, TakesTheBetterOfTwoAnswers) {
  RecordingTelemetry once({kBusyAnswer, kIdleAnswer});
  EXPECT_TRUE(is_idle(once)) << "the judge's own thread may have waited for its core";
  RecordingTelemetry busy({kBusyAnswer});
  EXPECT_FALSE(is_idle(busy));
  EXPECT_EQ(busy.asked, 2);
}

}  // namespace
}  // namespace ridgeline::judge
