// Turns of invented callers on a machine that is slow now and then, for all alike.
#include "engine/worker/judge/turns.hpp"

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
double slowness() {
  return std::fmod(clock_now, 0.5) < 0.3 ? 1.7 : 1.0;
}

std::string log;  // who was called, a letter a batch of three or more

class Caller : public BatchCaller {
 public:
  Caller(char name, double call) : name_(name), call_(call) {}
  std::optional<BatchTimes> call(std::size_t, std::size_t count) override {
    if (batches++ == most_batches) return std::nullopt;
    if (log.empty() || log.back() != name_) log += name_;
    const double work = static_cast<double>(count) * call_ * slowness();
    clock_now += work;
    return BatchTimes{.wall = work, .cpu = work, .claimed = work};
  }
  std::size_t batches = 0;
  std::size_t most_batches = 100'000;

 private:
  char name_;
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

struct Bed {
  Caller ours{'c', 10e-3}, theirs{'b', 20e-3};
  Slots our_slots, their_slots;
  double begin = 0;
  int quiet = 0, most_quiet = 0, moved = 0;
  SamplingLimits limits{.elapsed_seconds = 0.5};

  Turns run() {
    clock_now = begin;
    log.clear();
    Random random(3);
    TurnTaker candidate{ours, our_slots, {}};
    TurnTaker baseline{theirs, their_slots, {}, [this] {
                         most_quiet = std::max(most_quiet, ++quiet);
                         return std::shared_ptr<void>(nullptr, [this](void*) { --quiet; });
                       }};
    return take_turns(candidate, baseline, limits, random, fake_now, [this] { ++moved; });
  }
};

double kept(const std::vector<Turn>& side) {
  return median(seconds_of(undisturbed(side)));
}

TEST(Turns, GoOnUntilEnoughWereNotSlowed) {
  Bed bed;
  const auto turns = bed.run();
  EXPECT_EQ(turns.end, SamplingEnd::enough);
  EXPECT_NEAR(kept(turns.candidate), 10e-3, 0.2e-3);
  EXPECT_NEAR(kept(turns.baseline), 20e-3, 0.4e-3);
  EXPECT_NEAR(quantile(seconds_of(turns.candidate), 1), 17e-3, 1e-3) << "the machine was slow for a while";
  EXPECT_GT(bed.moved, 0) << "and it was tried elsewhere";
}

TEST(Turns, OfAQuietMachineFourAreEnough) {
  Bed bed;
  bed.ours = {'c', 0.1e-3};
  bed.theirs = {'b', 0.1e-3};
  bed.begin = 0.3;  // the next slow spell is 0.2 s away, which eight turns of 30 ms would outlast
  bed.limits.cap_seconds = 0.03;
  const auto turns = bed.run();
  EXPECT_EQ(turns.candidate.size(), 4u);
  EXPECT_EQ(turns.baseline.size(), 4u);
  EXPECT_EQ(bed.moved, 0);
}

TEST(Turns, WhereItNeverIsQuietTheEndIsSaid) {
  Bed bed;
  bed.limits.elapsed_seconds = 0.05;  // all within the first slow spell
  bed.ours = {'c', 17e-3};
  EXPECT_EQ(bed.run().end, SamplingEnd::capped);
}

TEST(Turns, OnlyWhatCountsIsWeighed) {
  const auto turn = [](double seconds, double settle) {
    return Turn{{{.twice = {.settle = settle}, .single = {}}}, seconds};
  };
  // Every third turn takes half the time, by work that is still to be done when it has ended.
  const std::vector turns{turn(2, 0), turn(1, 9), turn(2, 0), turn(2.01, 0), turn(1.04, 9), turn(0, 0)};
  const auto pairs = pairs_of(undisturbed(turns));
  ASSERT_EQ(pairs.size(), 2u);
  for (const auto& pair : pairs) EXPECT_EQ(pair.twice.settle, 9);
  EXPECT_TRUE(undisturbed({turn(0, 0)}).empty()) << "no time is no least";
}

TEST(Turns, EachSideIsFirstInEveryOther) {
  Bed bed;
  bed.run();
  // Where one is last and then first its turns follow each other: b cc bb c
  EXPECT_EQ(log.substr(0, 5), "bcbcb");
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
  bed.ours = {'c', 2};
  bed.theirs = {'b', 2};
  EXPECT_EQ(bed.run().candidate.size(), 1u);
}

TEST(Turns, LongCallsTakeThree) {
  Bed bed;
  bed.ours = {'c', 0.1};
  bed.theirs = {'b', 0.1};
  bed.limits.elapsed_seconds = 0.12;  // two rounds
  EXPECT_EQ(bed.run().candidate.size(), 3u);
}

}  // namespace
}  // namespace ridgeline::judge
