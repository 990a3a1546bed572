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

double speedup(const Turns& turns) {
  const auto both = levelled(turns.rounds);
  return median(both.baseline) / median(both.candidate);
}

TEST(Turns, AHostThatIsSlowNowAndThenFallsOutOfTheQuotient) {
  Bed bed(now_and_then);
  const auto turns = bed.run();
  EXPECT_EQ(turns.end, SamplingEnd::enough);
  EXPECT_NEAR(speedup(turns), 2, 0.02);
  EXPECT_NEAR(median(levelled(turns.rounds).candidate), 10e-3, 0.5e-3)
      << "times are those of its quick spells";
  EXPECT_NEAR(quantile(seconds_of(&Round::candidate, turns.rounds), 1), 17e-3, 1e-3)
      << "it was slow for a while";
  EXPECT_GT(bed.moved, 0) << "and it was tried elsewhere";
}

TEST(Turns, OfAQuietHostEightAreEnough) {
  Bed bed;
  EXPECT_EQ(bed.run().rounds.size(), 8u);
  EXPECT_EQ(bed.moved, 0);
}

TEST(Turns, WhereItNeverSettlesTheEndIsSaid) {
  Bed bed(to_and_fro);
  const auto turns = bed.run();
  EXPECT_EQ(turns.end, SamplingEnd::capped);
  EXPECT_GT(turns.rounds.size(), 8u) << "as many as are enough, but not alike";
}

Round round_of(double candidate, double baseline) {
  return {{{}, candidate}, {{}, baseline}};
}

TEST(Turns, QuotientsOfRoundsStayWhatTheyWere) {
  const std::vector rounds{round_of(2, 5), round_of(4, 10), round_of(2, 6), round_of(3, 5), round_of(20, 40)};
  const auto both = levelled(rounds);
  ASSERT_EQ(both.candidate.size(), rounds.size());
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    EXPECT_NEAR(both.baseline[i] / both.candidate[i],
                rounds[i].baseline.seconds / rounds[i].candidate.seconds, 1e-12);
    EXPECT_NEAR(both.baseline[i] * both.candidate[i], 15, 1e-9)
        << "together as long as in the third quickest";
  }
  EXPECT_NEAR(median(both.baseline) / median(both.candidate), 2.5, 1e-12) << "the median of quotients";
}

TEST(Turns, WhatIsQuickInFewRoundsGainsNothing) {
  const std::vector honest(9, round_of(2, 5));
  auto some = honest;
  for (std::size_t i = 0; i < 4; ++i) some[2 * i] = round_of(0.5, 5);
  const auto both = levelled(some);
  EXPECT_NEAR(median(both.baseline) / median(both.candidate), 2.5, 1e-12);
}

TEST(Turns, ARoundWithoutTimeTellsNothing) {
  const auto both = levelled({round_of(2, 5), round_of(0, 5), round_of(2, 0)});
  EXPECT_EQ(both.candidate, std::vector<double>{2});
  EXPECT_EQ(both.baseline, std::vector<double>{5});
  EXPECT_TRUE(levelled({round_of(0, 1), round_of(1, 0)}).baseline.empty());
  EXPECT_TRUE(levelled({}).candidate.empty());
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
  ASSERT_EQ(turns.rounds.size(), 8u);
  EXPECT_EQ(bed.order, "bccbbccbbccbbccb");
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
