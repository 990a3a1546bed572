// Turns of invented callers on a machine that is slow now and then, for all alike.
#include "engine/worker/judge/sampling/turns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace ridgeline::judge {
namespace {

double clock_now = 0;
double fake_now() {
  return clock_now;
}

/// For three fifths of each half second the machine takes 1.7 times as long.
double now_and_then() {
  return std::fmod(clock_now, 0.5) < 0.3 ? 1.7 : 1.0;
}
double ever_more() {
  return 1 + clock_now;
}
double (*slowness)() = now_and_then;

class Caller : public BatchCaller {
 public:
  explicit Caller(double call) : call_(call) {}
  std::optional<BatchTimes> call(std::size_t, std::size_t count) override {
    if (batches++ == most_batches) return std::nullopt;
    const double work = static_cast<double>(count) * call_ * slowness();
    clock_now += work;
    return BatchTimes{.wall = work, .cpu = work, .claimed = work};
  }
  std::size_t batches = 0;
  std::size_t most_batches = 100'000;

 private:
  double call_;
};

class Slots : public SlotKeeper {
 public:
  std::size_t slots() const override { return 30; }
  bool prepare(std::size_t, bool) override { return true; }
  bool prepare_rounds(const HotPlan&) override { return true; }
  bool inspect(std::size_t, std::size_t) override { return ++inspected != wrong_at; }
  bool untouched(std::size_t, std::size_t) override { return true; }
  std::size_t inspected = 0, wrong_at = 0;
};

double whole(const BatchPair& pair) {
  return quotient(pair, Clock::wall, {});
}

struct Bed {
  std::string order;  // whose turns, a letter each
  Caller ours{10e-3}, theirs{20e-3};
  Slots our_slots, their_slots;
  double begin = 0;
  int quiet = 0, most_quiet = 0, moved = 0;
  SamplingLimits limits{.elapsed_seconds = 0.5};

  Turns run() {
    clock_now = begin;
    order.clear();
    Random random(3);
    TurnTaker candidate{ours, our_slots, whole, [this](const auto&) {
                          order += 'c';
                          return nullptr;
                        }};
    TurnTaker baseline{theirs, their_slots, whole, [this](const auto&) {
                         order += 'b';
                         most_quiet = std::max(most_quiet, ++quiet);
                         return std::shared_ptr<void>(nullptr, [this](void*) { --quiet; });
                       }};
    return take_turns(candidate, baseline, limits, random, fake_now, [this] { ++moved; });
  }
};

double kept(SideOfRound side, const Turns& turns) {
  return median(seconds_of(side, undisturbed(turns.rounds)));
}

TEST(Turns, GoOnUntilEnoughWereNotSlowed) {
  Bed bed;
  const auto turns = bed.run();
  EXPECT_EQ(turns.end, SamplingEnd::enough);
  EXPECT_NEAR(kept(&Round::candidate, turns), 10e-3, 0.2e-3);
  EXPECT_NEAR(kept(&Round::baseline, turns), 20e-3, 0.4e-3);
  EXPECT_NEAR(quantile(seconds_of(&Round::candidate, turns.rounds), 1), 17e-3, 1e-3)
      << "the machine was slow for a while";
  EXPECT_GT(bed.moved, 0) << "and it was tried elsewhere";
}

TEST(Turns, OfAQuietMachineFourAreEnough) {
  Bed bed;
  bed.ours = Caller{0.1e-3};
  bed.theirs = Caller{0.1e-3};
  bed.begin = 0.3;  // the next slow spell is 0.2 s away, which eight turns of 30 ms would outlast
  bed.limits.cap_seconds = 0.03;
  const auto turns = bed.run();
  EXPECT_EQ(turns.rounds.size(), 4u);
  EXPECT_EQ(bed.moved, 0);
}

TEST(Turns, WhereItNeverIsQuietTheEndIsSaid) {
  slowness = ever_more;
  Bed bed;
  const auto turns = bed.run();
  slowness = now_and_then;
  EXPECT_EQ(turns.end, SamplingEnd::capped);
  EXPECT_GT(turns.rounds.size(), 4u) << "as many as are enough, but no two alike";
  EXPECT_EQ(undisturbed(turns.rounds).size(), 1u);
}

Round round_of(double candidate, double baseline, double settle = 0) {
  return {{{{.twice = {.settle = settle}, .single = {}}}, candidate}, {{}, baseline}};
}

TEST(Turns, OnlyWhatCountsIsWeighed) {
  // Half of the turns take half the time, by work that is still to be done when it has ended.
  const std::vector rounds{round_of(2, 5),         round_of(1, 5, 9), round_of(2, 5), round_of(1.01, 5, 9),
                           round_of(1.04, 5.1, 9), round_of(2.01, 5), round_of(0, 5)};
  const auto pairs = pairs_of(&Round::candidate, undisturbed(rounds));
  ASSERT_EQ(pairs.size(), 3u);
  for (const auto& pair : pairs) EXPECT_EQ(pair.twice.settle, 9);
}

TEST(Turns, WhatIsQuickInOneRoundOrTwoIsLeftOut) {
  const std::vector rounds{round_of(2, 5),    round_of(1, 5),       round_of(2.02, 5),
                           round_of(2.01, 5), round_of(1.04, 5.01), round_of(2, 5)};
  EXPECT_EQ(seconds_of(&Round::candidate, undisturbed(rounds)), (std::vector<double>{2, 2.02, 2.01, 2}));
}

TEST(Turns, ARoundCountsWhereNeitherSideWasSlowed) {
  const std::vector rounds{round_of(1, 9),   round_of(2, 5),    round_of(1.02, 5.1),
                           round_of(1.2, 5), round_of(1.01, 7), round_of(1.6, 5)};
  EXPECT_EQ(seconds_of(&Round::candidate, undisturbed(rounds)), std::vector{1.02});
  EXPECT_EQ(seconds_of(&Round::baseline, undisturbed(rounds)), std::vector{5.1});
}

TEST(Turns, OfThreeRoundsTheOneThatWasSlowedIsLeftOut) {
  const std::vector rounds{round_of(1, 5), round_of(1.7, 8), round_of(1.01, 5.1)};
  EXPECT_EQ(seconds_of(&Round::candidate, undisturbed(rounds)), (std::vector<double>{1, 1.01}));
  EXPECT_EQ(seconds_of(&Round::candidate, undisturbed({round_of(2, 5)})), std::vector<double>{2});
}

TEST(Turns, WhereEachWasSlowedTheNearestCounts) {
  const std::vector rounds{round_of(1, 9), round_of(1.1, 5.3), round_of(1.01, 8), round_of(1.02, 5),
                           round_of(1.5, 5.01)};
  EXPECT_EQ(seconds_of(&Round::candidate, undisturbed(rounds)), std::vector{1.02});
  EXPECT_TRUE(undisturbed(std::vector{round_of(0, 1), round_of(1, 0)}).empty()) << "no time is no least";
  EXPECT_TRUE(undisturbed(std::vector<Round>{}).empty());
}

TEST(Turns, NoTimeIsTheCandidatesOnlyWhereTheBaselineTookSome) {
  EXPECT_TRUE(took_no_time({round_of(0, 1), round_of(0, 2), round_of(0, 1)}));
  EXPECT_FALSE(took_no_time({round_of(0, 1), round_of(1e-9, 2), round_of(0, 1)}));
  EXPECT_FALSE(took_no_time({round_of(0, 1), round_of(0, 0), round_of(0, 1)}))
      << "windows may be empty for other reasons";
  EXPECT_FALSE(took_no_time({round_of(0, 1), round_of(0, 2)})) << "two are few";
}

TEST(Turns, EachSideIsFirstInEveryOther) {
  Bed bed;
  bed.begin = 0.3;
  bed.ours = Caller{1e-3};
  bed.theirs = Caller{1e-3};
  bed.limits.cap_seconds = 0.02;
  const auto turns = bed.run();
  ASSERT_EQ(turns.rounds.size(), 4u);
  EXPECT_EQ(bed.order, "bccbbccb");
  EXPECT_EQ(bed.quiet, 0);
  EXPECT_EQ(bed.most_quiet, 1) << "the candidate is kept quiet in the baseline's turns, and only then";
}

TEST(Turns, ACandidateThatEndsEndsThem) {
  Bed bed;
  bed.ours.most_batches = 6;
  const auto turns = bed.run();
  EXPECT_EQ(turns.end, SamplingEnd::caller_over);
  EXPECT_FALSE(turns.baseline_over);
}

TEST(Turns, AWrongSlotOfTheCandidateEndsThem) {
  Bed bed;
  bed.our_slots.wrong_at = 4;
  EXPECT_EQ(bed.run().end, SamplingEnd::slot_wrong);
}

TEST(Turns, ABaselineThatEndsIsNotTheCandidatesFault) {
  Bed bed;
  bed.theirs.most_batches = 6;
  const auto turns = bed.run();
  EXPECT_TRUE(turns.baseline_over);
  EXPECT_EQ(turns.end, SamplingEnd::capped);
}

TEST(Turns, VeryLongCallsTakeOne) {
  Bed bed;
  bed.ours = Caller{2};
  bed.theirs = Caller{2};
  EXPECT_EQ(bed.run().rounds.size(), 1u);
}

TEST(Turns, LongCallsTakeThree) {
  Bed bed;
  bed.ours = Caller{0.1};
  bed.theirs = Caller{0.1};
  bed.limits.elapsed_seconds = 0.12;  // two rounds
  EXPECT_EQ(bed.run().rounds.size(), 3u);
}

}  // namespace
}  // namespace ridgeline::judge
