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

double never() {
  return 1;
}
/// For three fifths of each half second the machine takes 1.7 times as long.
double now_and_then() {
  return std::fmod(clock_now, 0.5) < 0.3 ? 1.7 : 1.0;
}
/// In no quick state long enough for both sides.
double to_and_fro() {
  return std::fmod(clock_now, 0.14) < 0.07 ? 1.7 : 1.0;
}
double (*slowness)() = never;

class Caller : public BatchCaller {
 public:
  explicit Caller(double call) : call_(call) {}
  std::optional<BatchTimes> call(std::size_t, std::size_t count) override {
    if (batches++ == most_batches) return std::nullopt;
    const double work = static_cast<double>(count) * call_ * slowness() * (quick_batch(batches) ? 0.5 : 1);
    clock_now += work;
    return BatchTimes{.wall = work, .cpu = work, .claimed = work};
  }
  std::size_t batches = 0;
  std::size_t most_batches = 100'000;
  std::function<bool(std::size_t)> quick_batch = [](std::size_t) { return false; };

 private:
  double call_;
};

class Slots : public SlotKeeper {
 public:
  std::size_t slots() const override { return 30; }
  bool prepare(std::size_t, bool) override { return true; }
  bool prepare_rounds(const HotPlan&) override { return true; }
  bool inspect(std::size_t, std::size_t, std::size_t) override { return ++inspected != wrong_at; }
  std::size_t inspected = 0, wrong_at = 0;
};

double whole(const BatchPair& pair) {
  return quotient(pair, Clock::wall, {});
}

struct Bed {
  explicit Bed(double (*host)() = never) { slowness = host; }

  std::string order;  // whose turns, a letter each
  Caller ours{10e-3}, theirs{20e-3};
  Slots our_slots, their_slots;
  int quiet = 0, most_quiet = 0, moved = 0;
  SamplingLimits limits{.elapsed_seconds = 0.5};

  Turns run() {
    clock_now = 0;
    order.clear();
    Random random(3);
    TurnTaker candidate{ours, our_slots, whole, [this] {
                          order += 'c';
                          return nullptr;
                        }};
    TurnTaker baseline{theirs, their_slots, whole, [this] {
                         order += 'b';
                         most_quiet = std::max(most_quiet, ++quiet);
                         return std::shared_ptr<void>(nullptr, [this](void*) { --quiet; });
                       }};
    return take_turns(candidate, baseline, limits, random, fake_now, [this] { ++moved; });
  }
};

TEST(Turns, AHostThatIsSlowNowAndThenFallsOutOfTheQuotient) {
  Bed bed(now_and_then);
  const auto turns = bed.run();
  EXPECT_EQ(turns.end, SamplingEnd::enough);
  EXPECT_NEAR(median(quotients(turns.rounds)), 2, 0.02);
  EXPECT_NEAR(quick(seconds_of(&Round::baseline, turns.rounds)), 20e-3, 1e-3);
  EXPECT_NEAR(quantile(seconds_of(&Round::candidate, turns.rounds), 1), 17e-3, 1e-3)
      << "it was slow for a while";
  EXPECT_GT(bed.moved, 0) << "and it was tried elsewhere";
}

TEST(Turns, OfAQuietHostNineAreEnough) {
  Bed bed;
  EXPECT_EQ(bed.run().rounds.size(), 9u);
  EXPECT_EQ(bed.moved, 0);
}

TEST(Turns, WhereItNeverSettlesTheEndIsSaid) {
  Bed bed(to_and_fro);
  const auto turns = bed.run();
  EXPECT_EQ(turns.end, SamplingEnd::capped);
  EXPECT_GT(turns.rounds.size(), 9u) << "as many as are enough, but not alike";
}

Round round_of(double candidate, double baseline) {
  return {{{}, candidate}, {{}, baseline}};
}

TEST(Turns, TheSpeedupIsTheMedianOfQuotients) {
  const std::vector rounds{round_of(2, 5), round_of(4, 10), round_of(2, 6), round_of(3, 5), round_of(20, 40)};
  EXPECT_EQ(quotients(rounds), (std::vector{2.5, 2.5, 3.0, 5.0 / 3, 2.0}));
}

TEST(Turns, WhatIsQuickInFewRoundsGainsNothing) {
  std::vector rounds(9, round_of(2, 5));
  for (std::size_t i = 0; i < 4; ++i) rounds[2 * i] = round_of(0.02, 5);
  EXPECT_EQ(median(quotients(rounds)), 2.5);
  EXPECT_EQ(quick(seconds_of(&Round::baseline, rounds)), 5) << "nor does it change the baseline";
}

TEST(Turns, AFewPairsOfATurnDoNotHideAmongTheOthers) {
  Bed bed;
  bed.ours = Caller{0.1e-3};
  bed.ours.quick_batch = [](std::size_t batch) { return batch % 7 < 4; };
  for (const auto& round : bed.run().rounds) {
    const auto& pairs = round.candidate.pairs;
    ASSERT_GT(pairs.size(), 3u);
    double sum = 0;
    for (const auto& pair : pairs) sum += whole(pair);
    EXPECT_NEAR(round.candidate.seconds, sum / static_cast<double>(pairs.size()), 1e-9);
  }
}

TEST(Turns, TheBetterHalfIsWhereTheCandidateGains) {
  const std::vector rounds{round_of(2, 5), round_of(1, 5), round_of(2, 4), round_of(1, 6), round_of(2, 5.5)};
  EXPECT_EQ(better_half(rounds), (std::vector<std::size_t>{1, 3, 4}));
  EXPECT_EQ(better_half({round_of(1, 2), round_of(2, 4)}), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(seconds_of(&Round::baseline, chosen(rounds, {1, 3})), (std::vector<double>{5, 6}));
  EXPECT_TRUE(better_half({}).empty());
}

TEST(Turns, WhatTheHostDoesToOneSideAloneIsSeenWhereTheBaselineWasQuick) {
  std::vector rounds(4, round_of(2, 4));
  rounds.insert(rounds.end(), 5, round_of(2, 6));
  EXPECT_EQ(median(quotients(rounds)), 3);
  EXPECT_EQ(speedup_where_quick(rounds), 2);
  EXPECT_EQ(speedup_where_quick({}), 0);
}

TEST(Turns, TheThirdLeastIsQuick) {
  EXPECT_EQ(quick({5, 1, 2, 9, 3, 8}), 3);
  EXPECT_EQ(quick({5, 1, 2, 9}), 2) << "of few the lower median";
  EXPECT_EQ(quick({0, 4}), 4) << "no time is no least";
  EXPECT_EQ(quick({0}), 0);
}

TEST(Turns, ARoundWithoutTimeTellsNothing) {
  EXPECT_EQ(quotients({round_of(2, 5), round_of(0, 5), round_of(2, 0)}), std::vector{2.5});
  EXPECT_TRUE(quotients({}).empty());
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
  const auto turns = bed.run();
  ASSERT_EQ(turns.rounds.size(), 9u);
  EXPECT_EQ(bed.order, "bccbbccbbccbbccbbc");
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
