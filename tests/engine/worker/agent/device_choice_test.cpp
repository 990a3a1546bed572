#include "engine/worker/agent/device_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::agent {
namespace {

using testing::Optional;

constexpr std::size_t kTwo = 2;

TEST(DeviceChoice, TheOnlyDeviceTakesAllInOrder) {
  DeviceChoice choice;
  choice.measurement_begins("before", "A", 0);
  EXPECT_EQ(choice.choose(0, 1, {}), std::nullopt);
  EXPECT_THAT(choice.choose(0, 1, {{"b", "B"}, {"a", "A"}}), Optional(std::string("b")));
  EXPECT_THAT(choice.choose(0, 1, {{"b", "B", 0}}), Optional(std::string("b"))) << "there is no other device";
  EXPECT_TRUE(choice.should_prepare(0, 1, "A"));
}

TEST(DeviceChoice, ATaskStaysWhereItsReferencesAre) {
  DeviceChoice choice;
  choice.measurement_begins("1", "A", 0);
  choice.measurement_begins("2", "B", 1);
  EXPECT_THAT(choice.choose(1, kTwo, {{"a", "A"}, {"b", "B"}}), Optional(std::string("b")));
  EXPECT_THAT(choice.choose(1, kTwo, {{"a", "A"}, {"c", "C"}}), Optional(std::string("c")))
      << "a task that is at home nowhere";
  EXPECT_EQ(choice.choose(1, kTwo, {{"a", "A"}}), std::nullopt) << "its home has it next";
  EXPECT_THAT(choice.choose(0, kTwo, {{"a", "A"}}), Optional(std::string("a")));
}

TEST(DeviceChoice, AnotherDeviceLearnsTheTaskBehindALongQueue) {
  DeviceChoice choice;
  choice.measurement_begins("1", "A", 0);
  EXPECT_THAT(choice.choose(1, kTwo, {{"a", "A"}, {"b", "A"}, {"c", "A"}}), Optional(std::string("c")));
  choice.measurement_begins("c", "A", 1);
  EXPECT_THAT(choice.choose(1, kTwo, {{"a", "A"}}), Optional(std::string("a")))
      << "it is at home on both now";
  EXPECT_THAT(choice.choose(0, kTwo, {{"a", "A"}}), Optional(std::string("a")));
}

TEST(DeviceChoice, AnotherDeviceLearnsTheTaskIfItIdlesAgainAndAgain) {
  DeviceChoice choice;
  choice.measurement_begins("0", "A", 0);
  for (int i = 1; i <= DeviceChoice::kMissed; ++i) {
    const auto id = std::to_string(i);
    EXPECT_EQ(choice.choose(1, kTwo, {{id, "A"}}), std::nullopt) << i;
    choice.measurement_begins(id, "A", 0);
  }
  EXPECT_THAT(choice.choose(1, kTwo, {{"next", "A"}}), Optional(std::string("next")));
}

TEST(DeviceChoice, NoRequestStarves) {
  DeviceChoice choice;
  choice.measurement_begins("0", "A", 0);
  choice.measurement_begins("1", "B", 1);
  int before = 0;
  while (before < 100 && choice.choose(1, kTwo, {{"old", "A"}, {"b", "B"}}) != "old") ++before;
  EXPECT_EQ(before, DeviceChoice::kMostPassed);
}

TEST(DeviceChoice, ARequestWhoseJudgeDiedGoesToAnotherDevice) {
  DeviceChoice choice;
  choice.measurement_begins("a", "A", 0);
  EXPECT_EQ(choice.choose(0, kTwo, {{"a", "A", 0}}), std::nullopt);
  EXPECT_THAT(choice.choose(1, kTwo, {{"a", "A", 0}}), Optional(std::string("a")));
  EXPECT_THAT(choice.choose(0, kTwo, {{"a", "A", 0}, {"b", "A"}}), Optional(std::string("b")));
}

TEST(DeviceChoice, TasksOfADeviceThatIsGivenUpAreAtHomeNowhere) {
  DeviceChoice choice;
  choice.measurement_begins("1", "A", 0);
  choice.device_given_up(0);
  EXPECT_THAT(choice.choose(1, 3, {{"a", "A"}}), Optional(std::string("a")));
}

TEST(DeviceChoice, OneDevicePreparesForATaskThatIsAtHomeNowhere) {
  DeviceChoice choice;
  EXPECT_TRUE(choice.should_prepare(0, kTwo, "A"));
  choice.preparation_begins("A", 0);
  EXPECT_FALSE(choice.should_prepare(1, kTwo, "A"));
  EXPECT_EQ(choice.choose(1, kTwo, {{"a", "A"}}), std::nullopt) << "the one that prepared has it";
  choice.preparation_begins("A", 1);
  EXPECT_FALSE(choice.should_prepare(1, kTwo, "A"));
}

}  // namespace
}  // namespace ridgeline::agent
