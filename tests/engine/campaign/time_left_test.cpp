#include "engine/campaign/time_left.hpp"

#include <gtest/gtest.h>

namespace ridgeline::campaign {
namespace {

TEST(TimeLeft, IsUnknownBeforeTheFirstStep) {
  EXPECT_EQ(TimeLeft(4, 40).text(10), "");
}

TEST(TimeLeft, IsABoundUntilATrajectoryHasEnded) {
  TimeLeft left(4, 40);
  left.stepped("a");
  left.stepped("b");
  EXPECT_EQ(left.text(20), "at most 7 min left") << "38 steps of 10 s";
}

TEST(TimeLeft, ExpectsOfEachTrajectoryWhatTheOthersNeeded) {
  TimeLeft left(4, 400);
  for (const auto* where : {"a", "b", "a", "b"}) left.stepped(where);
  left.ended("a");
  EXPECT_EQ(left.text(40), "about 40 s left") << "two steps each: 8 in all, 4 of them taken, 10 s each";
}

TEST(TimeLeft, IsNeverBehindWhatIsStillUnderWay) {
  TimeLeft left(2, 400);
  left.stepped("a");
  left.ended("a");
  for (int i = 0; i < 9; ++i) left.stepped("b");
  EXPECT_EQ(left.text(100), "about 10 s left") << "one step more, at least";
  left.ended("b");
  EXPECT_EQ(left.text(100), "");
}

TEST(TimeLeft, CountsTrajectoriesThatNeedNone) {
  TimeLeft left(3, 30);
  left.ended("cached");
  left.stepped("a");
  left.stepped("a");
  left.ended("a");
  EXPECT_EQ(left.text(10), "about 5 s left") << "one step a trajectory on average";
}

}  // namespace
}  // namespace ridgeline::campaign
