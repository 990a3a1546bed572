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

/// Every other 0.4 s the machine takes 1.7 times as long.
double slowness() {
  return std::fmod(clock_now, 0.8) < 0.4 ? 1.0 : 1.7;
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

double median_slope(const std::vector<BatchPair>& pairs) {
  std::vector<double> slopes;
  for (const auto& pair : pairs) slopes.push_back(slope(pair, Clock::wall));
  return median(slopes);
}

struct Bed {
  Caller ours{'c', 10e-3}, theirs{'b', 20e-3};
  Slots our_slots, their_slots;
  int quiet = 0, most_quiet = 0;
  SamplingLimits limits{.elapsed_seconds = 0.5};

  Turns run() {
    clock_now = 0;
    log.clear();
    Random random(3);
    TurnTaker candidate{ours, our_slots, median_slope};
    TurnTaker baseline{theirs, their_slots, median_slope, [this] {
                         most_quiet = std::max(most_quiet, ++quiet);
                         return std::shared_ptr<void>(nullptr, [this](void*) { --quiet; });
                       }};
    return take_turns(candidate, baseline, limits, random, fake_now);
  }
};

TEST(Turns, WhatSlowsTheMachineMeetsBothSides) {
  Bed bed;
  const auto turns = bed.run();
  ASSERT_EQ(turns.candidate_seconds.size(), turns.baseline_seconds.size());
  ASSERT_GE(turns.candidate_seconds.size(), 5u);
  std::vector<double> quotients;
  for (std::size_t i = 0; i < turns.candidate_seconds.size(); ++i)
    quotients.push_back(turns.baseline_seconds[i] / turns.candidate_seconds[i]);
  EXPECT_NEAR(median(quotients), 2, 0.02);
  EXPECT_GT(quantile(turns.candidate_seconds, 1), 1.5 * quantile(turns.candidate_seconds, 0))
      << "the machine was slow for a while";
}

TEST(Turns, EachSideIsFirstInEveryOther) {
  Bed bed;
  bed.run();
  // Where one is last and then first its turns follow each other: b cc bb cc b
  EXPECT_EQ(log.substr(0, 5), "bcbcb");
  EXPECT_EQ(bed.quiet, 0);
  EXPECT_EQ(bed.most_quiet, 1) << "the candidate is kept quiet in the baseline's turns, and only then";
}

TEST(Turns, ACandidateThatEndsEndsThem) {
  Bed bed;
  bed.ours.most_batches = 6;
  const auto turns = bed.run();
  EXPECT_EQ(turns.candidate.end, SamplingEnd::caller_over);
  EXPECT_FALSE(turns.baseline_over);
}

TEST(Turns, AWrongSlotOfTheCandidateEndsThem) {
  Bed bed;
  bed.our_slots.wrong_at = 4;
  EXPECT_EQ(bed.run().candidate.end, SamplingEnd::slot_wrong);
}

TEST(Turns, ABaselineThatEndsIsNotTheCandidatesFault) {
  Bed bed;
  bed.theirs.most_batches = 6;
  const auto turns = bed.run();
  EXPECT_TRUE(turns.baseline_over);
  EXPECT_EQ(turns.candidate.end, SamplingEnd::capped);
}

TEST(Turns, VeryLongCallsTakeOne) {
  Bed bed;
  bed.ours = {'c', 2};
  bed.theirs = {'b', 2};
  EXPECT_EQ(bed.run().candidate_seconds.size(), 1u);
}

TEST(Turns, LongCallsTakeThree) {
  Bed bed;
  bed.ours = {'c', 0.1};
  bed.theirs = {'b', 0.1};
  bed.limits.elapsed_seconds = 0.12;
  EXPECT_EQ(bed.run().candidate_seconds.size(), 3u);
}

}  // namespace
}  // namespace ridgeline::judge
