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
    sample.begin_turn(counting);
    counting.push_back(static_cast<std::size_t>(number));
    for (int i = 0; i < calls; ++i) offer(100 * number + i);
  }
  /// What is kept in the end, of each turn.
  std::map<int, int> kept_of(const std::vector<std::size_t>& turns) {
    return calls_by_turn(sample.keep_turns(turns, random));
  }
  std::map<int, int> calls_by_turn(const std::vector<std::size_t>& places) const {
    std::map<int, int> found;
    for (const auto place : places) ++found[kept.at(place) / 100];
    return found;
  }

  CallSample sample;
  Random random;
  std::vector<int> kept;
  std::vector<std::size_t> counting;  // the turns so far that may
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
  Bed bed(24);
  bed.turn(0, 60);
  bed.turn(1, 4);
  bed.turn(2, 60);
  EXPECT_EQ(bed.kept_of({0, 1, 2}), (std::map<int, int>{{0, 3}, {1, 3}, {2, 3}}));
}

TEST(CallSample, WhereThereIsRoomMoreOfATurnAreKept) {
  Bed bed(1000);
  for (int turn = 0; turn < 4; ++turn) bed.turn(turn, 60);
  EXPECT_EQ(bed.kept_of({0, 1, 2, 3}), (std::map<int, int>{{0, 24}, {1, 24}, {2, 24}, {3, 24}}));
}

TEST(CallSample, OfTurnsThatCountAllAreKeptAndOfOthersAFew) {
  Bed bed(1000), of_one(1000);
  for (auto* one : {&bed, &of_one})
    for (int turn = 0; turn < 20; ++turn) one->turn(turn, 3);
  EXPECT_EQ(bed.kept_of({4, 7, 8, 19}), (std::map<int, int>{{4, 3}, {7, 3}, {8, 3}, {19, 3}}));
  const auto places = of_one.sample.keep_turns({7}, of_one.random);
  EXPECT_EQ(of_one.calls_by_turn(places)[7], 3);
  EXPECT_EQ(places.size(), 12u) << "so many are compared in any case";
  EXPECT_EQ(std::set<std::size_t>(places.begin(), places.end()).size(), places.size());
}

TEST(CallSample, WhereThereIsLittleRoomTurnsShareIt) {
  Bed bed(6);
  for (int turn = 0; turn < 5; ++turn) bed.turn(turn, 10);
  ASSERT_EQ(bed.kept.size(), 6u);
  auto by_turn = bed.kept_of({0, 1, 2, 3, 4});
  for (int turn = 0; turn < 5; ++turn) EXPECT_GE(by_turn[turn], 1) << turn;
}

TEST(CallSample, WhatCannotCountGivesWay) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {  // honest for twelve turns, and then the quickest
    Bed bed(2, seed);
    for (int turn = 0; turn < 12; ++turn) bed.turn(turn, 5);
    bed.counting.clear();
    for (int turn = 12; turn < 16; ++turn) bed.turn(turn, 5);
    const auto by_turn = bed.kept_of({12, 13, 14, 15});
    for (const auto& [turn, calls] : by_turn) EXPECT_GE(turn, 12) << calls << " of a turn that was left out";
  }
}

TEST(CallSample, WhatComesToCountLaterIsStillThereWhereThereIsRoom) {
  Bed bed(1000);
  for (int turn = 0; turn < 6; ++turn) {
    bed.turn(turn, 30);
    bed.counting = {0, 1};  // of the quick turns 2 to 5 the first two seemed odd
  }
  EXPECT_EQ(bed.kept_of({2, 3, 4, 5}), (std::map<int, int>{{2, 24}, {3, 24}, {4, 24}, {5, 24}}));
}

TEST(CallSample, ItStandsAsItWasTold) {
  Bed bed(24);
  for (int turn = 0; turn < 8; ++turn) bed.turn(turn, 3);
  std::vector<int> kept;
  for (const auto place : bed.sample.keep_turns({2, 5}, bed.random)) kept.push_back(bed.kept.at(place));
  bed.kept = kept;
  bed.counting = {2, 5};
  for (int turn = 8; turn < 12; ++turn) bed.turn(turn, 3);
  const auto by_turn = bed.kept_of({2, 5});
  EXPECT_EQ(by_turn.at(2), 3);
  EXPECT_EQ(by_turn.at(5), 3);
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
