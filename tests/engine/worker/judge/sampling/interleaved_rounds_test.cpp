// Interleaved rounds of fake callers, on a fake clock and a machine that is sometimes slow for both alike.
#include "engine/worker/judge/sampling/interleaved_rounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "fake_calls.hpp"

namespace ridgeline::judge {
namespace {

double never() {
  return 1;
}
/// For three fifths of each half second the machine takes 1.7 times as long.
double now_and_then() {
  return std::fmod(clock_now, 0.5) < 0.3 ? 1.7 : 1.0;
}
/// The machine changes its state too often for both sides to meet the same one.
double to_and_fro() {
  return std::fmod(clock_now, 0.14) < 0.07 ? 1.7 : 1.0;
}
double (*slowness)() = never;

class Caller : public BatchCaller {
 public:
  explicit Caller(double call) : call_(call) {}
  std::optional<BatchTimes> call(std::size_t, std::size_t count) override {
    if (batches++ == most_batches) return std::nullopt;
    const double work = static_cast<double>(count) * call_ * slowness() * (fast_batch(batches) ? 0.5 : 1);
    clock_now += work;
    return BatchTimes{.wall = work, .cpu = work, .claimed = work};
  }
  std::size_t batches = 0;
  std::size_t most_batches = 100'000;
  std::function<bool(std::size_t)> fast_batch = [](std::size_t) { return false; };

 private:
  double call_;
};

class Slots : public SlotKeeper {
 public:
  std::size_t slots() const override { return 30; }
  bool arrange(std::size_t) override { return true; }
  double fill(std::size_t, std::size_t, bool) override { return ++filled % 10 == 1 ? interruption : 0; }
  bool prepare_rounds(const HotPlan&) override { return true; }
  bool inspect(std::size_t, std::size_t) override { return ++inspected != wrong_at; }
  std::size_t inspected = 0, wrong_at = 0, filled = 0;
  double interruption = 0;  // of each tenth filling
};

double whole(const BatchPair& pair) {
  return quotient(pair, Clock::wall, {});
}

struct Bed {
  explicit Bed(double (*host)() = never) { slowness = host; }

  std::string order;  // the sides in the order in which they ran, a letter each
  Caller ours{10e-3}, theirs{20e-3};
  Slots our_slots, their_slots;
  int paused = 0, most_paused = 0, moved = 0;
  SamplingLimits limits{.elapsed_seconds = 0.5};

  InterleavedRounds run() {
    clock_now = 0;
    order.clear();
    Random random(3);
    RoundSide candidate{ours, our_slots, whole, [this] {
                          order += 'c';
                          return nullptr;
                        }};
    RoundSide baseline{theirs, their_slots, whole, [this] {
                         order += 'b';
                         most_paused = std::max(most_paused, ++paused);
                         return std::shared_ptr<void>(nullptr, [this](void*) { --paused; });
                       }};
    return run_interleaved_rounds(candidate, baseline, limits, random, fake_now, [this] { ++moved; });
  }
};

TEST(InterleavedRounds, AHostThatIsSometimesSlowCancelsInTheQuotient) {
  Bed bed(now_and_then);
  const auto rounds = bed.run();
  EXPECT_EQ(rounds.end, SamplingEnd::enough);
  EXPECT_NEAR(median(quotients(rounds.rounds)), 2, 0.02);
  EXPECT_NEAR(undisturbed_seconds(seconds_of(&Round::baseline, rounds.rounds)), 20e-3, 1e-3);
  EXPECT_NEAR(quantile(seconds_of(&Round::candidate, rounds.rounds), 1), 17e-3, 1e-3)
      << "it was slow for a while";
  EXPECT_GT(bed.moved, 0) << "and it was tried elsewhere";
}

TEST(InterleavedRounds, NineAreEnoughOnAnIdleHost) {
  Bed bed;
  EXPECT_EQ(bed.run().rounds.size(), 9u);
  EXPECT_EQ(bed.moved, 0);
}

TEST(InterleavedRounds, AGoalTakesThePlaceOfNine) {
  Bed coarse;
  coarse.limits.goal = 0.05;
  EXPECT_EQ(coarse.run().rounds.size(), 6u) << "the fewest whose median has an interval of 95 %";
  Bed fine(now_and_then);
  fine.limits.goal = 0.001;
  fine.limits.elapsed_seconds = 5;
  const auto rounds = fine.run();
  EXPECT_GT(rounds.rounds.size(), 9u);
  const auto interval = median_interval(quotients(rounds.rounds));
  EXPECT_TRUE(rounds.end == SamplingEnd::capped || interval.high - interval.low <= 2 * 0.001 * interval.high);
}

TEST(InterleavedRounds, EndAtTheCapIfTheQuotientsStayUneven) {
  Bed bed(to_and_fro);
  const auto rounds = bed.run();
  EXPECT_EQ(rounds.end, SamplingEnd::capped);
  EXPECT_GT(rounds.rounds.size(), 9u) << "as many as are enough, but not alike";
}

Round round_of(double candidate, double baseline) {
  return {{{}, candidate}, {{}, baseline}};
}

TEST(InterleavedRounds, TheSpeedUpIsTheMedianOfTheRoundsQuotientsAndNotTheQuotientOfMedians) {
  const std::vector rounds{round_of(2, 5), round_of(4, 10), round_of(2, 6), round_of(3, 5), round_of(20, 40)};
  EXPECT_EQ(quotients(rounds), (std::vector{2.5, 2.5, 3.0, 5.0 / 3, 2.0}));
  EXPECT_EQ(median(quotients(rounds)), 2.5);
  EXPECT_EQ(median(seconds_of(&Round::baseline, rounds)) / median(seconds_of(&Round::candidate, rounds)), 2);
  EXPECT_EQ(speedup_when_undisturbed(rounds), 2.5)
      << "the same median, over the rounds near the baseline's best";
}

TEST(InterleavedRounds, ACandidateThatIsFastInFewRoundsGainsNothing) {
  std::vector rounds(9, round_of(2, 5));
  for (std::size_t i = 0; i < 4; ++i) rounds[2 * i] = round_of(0.02, 5);
  EXPECT_EQ(median(quotients(rounds)), 2.5);
  EXPECT_EQ(undisturbed_seconds(seconds_of(&Round::baseline, rounds)), 5)
      << "nor does it change the baseline";
}

TEST(InterleavedRounds, ASidesTimeIsTheMeanOfItsPairsWithoutInterruptedOnes) {
  Bed bed;
  bed.ours = Caller{0.1e-3};
  bed.our_slots.interruption = 1e-3;
  std::size_t left_out = 0;
  for (const auto& round : bed.run().rounds) {
    std::vector<double> seconds;
    for (const auto& pair : round.candidate.pairs)
      if (interrupted(pair))
        ++left_out;
      else
        seconds.push_back(whole(pair));
    EXPECT_DOUBLE_EQ(round.candidate.seconds, mean(seconds));
  }
  EXPECT_GT(left_out, 0u);
}

TEST(InterleavedRounds, RoundsWithInterruptedPairsOnlySayNothingAboutTheirTime) {
  auto round = round_of(0, 5);
  EXPECT_TRUE(took_no_time(std::vector(3, round)));
  BatchPair pair;
  pair.longer.interruption = 1e-3;
  round.candidate.pairs = {pair};
  EXPECT_FALSE(took_no_time(std::vector(3, round)));
}

TEST(InterleavedRounds, ASidesTimeIsTheMeanOfItsPairs) {
  Bed bed;
  bed.ours = Caller{0.1e-3};
  bed.ours.fast_batch = [](std::size_t batch) { return batch % 7 < 4; };
  for (const auto& round : bed.run().rounds) {
    const auto& pairs = round.candidate.pairs;
    ASSERT_GT(pairs.size(), 3u);
    double sum = 0;
    for (const auto& pair : pairs) sum += whole(pair);
    EXPECT_NEAR(round.candidate.seconds, sum / static_cast<double>(pairs.size()), 1e-9);
  }
}

TEST(InterleavedRounds, TheBetterHalfAreTheRoundsInWhichTheCandidateGains) {
  const std::vector rounds{round_of(2, 5), round_of(1, 5), round_of(2, 4), round_of(1, 6), round_of(2, 5.5)};
  EXPECT_EQ(better_half(rounds), (std::vector<std::size_t>{1, 3, 4}));
  EXPECT_EQ(better_half({round_of(1, 2), round_of(2, 4)}), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(seconds_of(&Round::baseline, select_rounds(rounds, {1, 3})), (std::vector<double>{5, 6}));
  EXPECT_TRUE(better_half({}).empty());
}

TEST(InterleavedRounds, UndisturbedRoundsShowThatTheHostSlowedOneSideOnly) {
  std::vector rounds(4, round_of(2, 4));
  rounds.insert(rounds.end(), 5, round_of(2, 6));
  EXPECT_EQ(median(quotients(rounds)), 3);
  EXPECT_EQ(speedup_when_undisturbed(rounds), 2);
  EXPECT_EQ(speedup_when_undisturbed({}), 0);
}

TEST(InterleavedRounds, TheUndisturbedTimeIsTheThirdLeast) {
  EXPECT_EQ(undisturbed_seconds({5, 1, 2, 9, 3, 8}), 3);
  EXPECT_EQ(undisturbed_seconds({5, 1, 2, 9}), 2) << "of few the lower median";
  EXPECT_EQ(undisturbed_seconds({0, 4}), 4) << "no time is no least";
  EXPECT_EQ(undisturbed_seconds({0}), 0);
}

TEST(InterleavedRounds, ARoundWithoutTimeHasNoQuotient) {
  EXPECT_EQ(quotients({round_of(2, 5), round_of(0, 5), round_of(2, 0)}), std::vector{2.5});
  EXPECT_TRUE(quotients({}).empty());
}

TEST(InterleavedRounds, ACandidateTookNoTimeOnlyIfItsBaselineTookSome) {
  EXPECT_TRUE(took_no_time({round_of(0, 1), round_of(0, 2), round_of(0, 1)}));
  EXPECT_FALSE(took_no_time({round_of(0, 1), round_of(1e-9, 2), round_of(0, 1)}));
  EXPECT_FALSE(took_no_time({round_of(0, 1), round_of(0, 0), round_of(0, 1)}))
      << "windows may be empty for other reasons";
  EXPECT_FALSE(took_no_time({round_of(0, 1), round_of(0, 2)})) << "two are few";
}

TEST(InterleavedRounds, EachSideIsFirstInEveryOtherRound) {
  Bed bed;
  const auto rounds = bed.run();
  ASSERT_EQ(rounds.rounds.size(), 9u);
  EXPECT_EQ(bed.order, "bccbbccbbccbbccbbc");
  EXPECT_EQ(bed.paused, 0);
  EXPECT_EQ(bed.most_paused, 1) << "the candidate is paused while the baseline runs, and only then";
}

TEST(InterleavedRounds, ACandidateThatEndsEndsTheRounds) {
  Bed bed;
  bed.ours.most_batches = 6;
  const auto rounds = bed.run();
  EXPECT_EQ(rounds.end, SamplingEnd::caller_over);
  EXPECT_FALSE(rounds.baseline_over);
}

TEST(InterleavedRounds, AWrongSlotOfTheCandidateEndsTheRounds) {
  Bed bed;
  bed.our_slots.wrong_at = 4;
  EXPECT_EQ(bed.run().end, SamplingEnd::slot_wrong);
}

TEST(InterleavedRounds, ABaselineThatEndsIsNotBlamedOnTheCandidate) {
  Bed bed;
  bed.theirs.most_batches = 6;
  const auto rounds = bed.run();
  EXPECT_TRUE(rounds.baseline_over);
  EXPECT_EQ(rounds.end, SamplingEnd::capped);
}

TEST(InterleavedRounds, VeryLongCallsGetOneRound) {
  Bed bed;
  bed.ours = Caller{2};
  bed.theirs = Caller{2};
  EXPECT_EQ(bed.run().rounds.size(), 1u);
}

TEST(InterleavedRounds, LongCallsGetThreeRounds) {
  Bed bed;
  bed.ours = Caller{0.1};
  bed.theirs = Caller{0.1};
  bed.limits.elapsed_seconds = 0.12;  // two rounds
  EXPECT_EQ(bed.run().rounds.size(), 3u);
}

}  // namespace
}  // namespace ridgeline::judge
