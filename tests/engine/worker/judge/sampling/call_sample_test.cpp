// Which calls are kept to be compared, where they come one by one and in turns.
#include "engine/worker/judge/sampling/call_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace ridgeline::judge {
namespace {

/// What is offered is numbered; `kept` is what whoever keeps calls would hold.
struct Bed {
  explicit Bed(std::size_t room, std::uint64_t seed = 5) : sample(room), random(seed) {}
  void offer(int number) {
    const auto place = sample.offer(random);
    if (!place) return;
    ASSERT_LE(*place, kept.size()) << "behind the last, at most";
    if (*place == kept.size()) kept.push_back(0);
    kept[*place] = number;
  }
  /// Numbers are a hundred times the turn, and up.
  void turn(int number, int calls) {
    sample.begin_turn();
    for (int i = 0; i < calls; ++i) offer(100 * number + i);
  }
  std::map<int, int> calls_by_turn(const std::vector<std::size_t>& places) const {
    std::map<int, int> found;
    for (const auto place : places) ++found[kept.at(place) / 100];
    return found;
  }

  CallSample sample;
  Random random;
  std::vector<int> kept;
};

TEST(CallSample, WithoutTurnsEachIsAsLikely) {
  std::map<int, int> counts;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Bed bed(3, seed);
    for (int i = 0; i < 12; ++i) bed.offer(i);
    ASSERT_EQ(bed.kept.size(), 3u);
    for (const int one : bed.kept) ++counts[one];
  }
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(counts[i], 1000, 150) << i;  // five standard deviations
}

TEST(CallSample, WithinATurnEachIsAsLikelyWhereRoomIsShort) {
  std::map<int, int> counts;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Bed bed(2, seed);
    bed.turn(0, 6);
    for (const int one : bed.kept) ++counts[one];
  }
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(counts[i], 1000, 150) << i;
}

TEST(CallSample, OneIsKeptHoweverLittleRoomThereIs) {
  Bed bed(0);
  for (int i = 0; i < 9; ++i) bed.offer(i);
  EXPECT_EQ(bed.kept.size(), 1u);
}

TEST(CallSample, ATurnOfManyCallsCountsNoMoreThanOneOfFew) {
  Bed bed(100);
  bed.turn(0, 60);
  bed.turn(1, 4);
  bed.turn(2, 60);
  EXPECT_EQ(bed.kept.size(), 9u);
  const auto places = bed.sample.places_to_keep({0, 1, 2}, bed.random);
  EXPECT_EQ(bed.calls_by_turn(places), (std::map<int, int>{{0, 3}, {1, 3}, {2, 3}}));
}

TEST(CallSample, OfTurnsThatCountAllAreKeptAndOfOthersAFew) {
  Bed bed(100);
  for (int turn = 0; turn < 20; ++turn) bed.turn(turn, 10);
  auto by_turn = bed.calls_by_turn(bed.sample.places_to_keep({4, 7, 8, 19}, bed.random));
  EXPECT_EQ(by_turn, (std::map<int, int>{{4, 3}, {7, 3}, {8, 3}, {19, 3}}));
  const auto few = bed.sample.places_to_keep({7}, bed.random);
  by_turn = bed.calls_by_turn(few);
  EXPECT_EQ(by_turn[7], 3);
  EXPECT_EQ(few.size(), 12u) << "so many are compared in any case";
  EXPECT_EQ(std::set<std::size_t>(few.begin(), few.end()).size(), few.size());
}

TEST(CallSample, WhereThereIsLittleRoomTurnsShareIt) {
  Bed bed(6);
  for (int turn = 0; turn < 5; ++turn) bed.turn(turn, 10);
  ASSERT_EQ(bed.kept.size(), 6u);
  for (std::size_t turn = 0; turn < 5; ++turn) {
    auto places = bed.sample.places_to_keep({turn}, bed.random);
    EXPECT_GE(bed.calls_by_turn(places)[static_cast<int>(turn)], 1) << turn;
  }
}

TEST(CallSample, OfMoreTurnsThanThereIsRoomForEachIsAsLikely) {
  std::map<int, int> counts;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Bed bed(2, seed);
    for (int turn = 0; turn < 6; ++turn) bed.turn(turn, 5);
    for (const int one : bed.kept) ++counts[one / 100];
  }
  for (int turn = 0; turn < 6; ++turn) EXPECT_NEAR(counts[turn], 1000, 150) << turn;
}

TEST(CallSample, WhatIsForgottenLeavesNoTurnBehind) {
  Bed bed(4);
  bed.turn(0, 5);
  bed.sample.clear();
  bed.kept.clear();
  for (int i = 0; i < 9; ++i) bed.offer(i);
  EXPECT_EQ(bed.kept.size(), 4u) << "without turns all the room is there";
}

}  // namespace
}  // namespace ridgeline::judge
