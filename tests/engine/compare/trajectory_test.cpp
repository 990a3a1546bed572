#include "engine/compare/trajectory.hpp"

#include <gtest/gtest.h>

#include "tests/engine/compare/trajectories.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;

TEST(Cut, CountsCriticsAsCalls) {
  const auto one = trajectory("s", "t", {wrong(), critic, correct(2)});
  EXPECT_EQ(points_within(one, {.calls = 2}), 2u);
  EXPECT_EQ(points_within(one, {.calls = 3}), 3u);
  EXPECT_EQ(points_within(one, {.evaluations = 1}), 2u) << "a critic's call evaluates nothing";
}

TEST(Cut, StaysWithinEveryLimit) {
  const auto one = trajectory("s", "t", {wrong(), wrong(), wrong(), wrong()});
  EXPECT_EQ(points_within(one, {}), 4u);
  EXPECT_EQ(points_within(one, {.tokens = 250}), 2u);
  EXPECT_EQ(points_within(one, {.usd = 0.015}), 1u);
  EXPECT_EQ(points_within(one, {.calls = 3, .tokens = 250}), 2u);
  EXPECT_EQ(points_within(one, {.calls = 0}), 0u);
}

TEST(Cut, KeepsNothingAfterThePointThatExceedsALimit) {
  auto one = trajectory("s", "t", {wrong(), wrong()});
  one.points[0].tokens = 500;
  one.points[1].tokens = 500;  // a free call after an expensive one
  EXPECT_EQ(points_within(one, {.tokens = 499}), 0u);
}

TEST(Scoring, BestIsTheFastestCorrect) {
  const auto one = trajectory("s", "t", {broken(), correct(1.5), correct(0.5), wrong(), critic});
  EXPECT_DOUBLE_EQ(scored(one, 5, Scoring::best)->speedup, 1.5);
  EXPECT_EQ(scored(one, 1, Scoring::best)->candidate, "broken");
}

TEST(Scoring, CorrectWithoutATimeBeatsOneThatOnlyCompiles) {
  const auto one = trajectory("s", "t", {wrong(), correct(0), wrong()});
  EXPECT_TRUE(scored(one, 3, Scoring::best)->correct);
}

TEST(Scoring, LastIsTheLastCandidateEvenIfItIsWrong) {
  const auto one = trajectory("s", "t", {correct(3), wrong(), critic});
  EXPECT_EQ(scored(one, 3, Scoring::last)->candidate, "wrong");
}

TEST(Scoring, IsNullWithoutACandidate) {
  const auto one = trajectory("s", "t", {critic, critic});
  EXPECT_EQ(scored(one, 2, Scoring::best), nullptr);
  EXPECT_EQ(scored(one, 2, Scoring::last), nullptr);
}

TEST(Origin, DistinguishesRescuedFromPersistent) {
  EXPECT_EQ(origin_of(trajectory("s", "t", {correct(1), wrong(), correct(2)}), 3), Origin::persistent);
  EXPECT_EQ(origin_of(trajectory("s", "t", {critic, wrong(), correct(2)}), 3), Origin::rescued);
  EXPECT_EQ(origin_of(trajectory("s", "t", {wrong(), correct(2)}), 1), Origin::unsolved) << "beyond the cut";
}

TEST(Origin, DoesNotTakeAnUnjudgedCandidateAsAFailure) {
  auto lost = broken();
  lost.judged = false;
  EXPECT_EQ(origin_of(trajectory("s", "t", {lost, correct(2)}), 2), Origin::persistent);
}

}  // namespace
}  // namespace ridgeline::compare
