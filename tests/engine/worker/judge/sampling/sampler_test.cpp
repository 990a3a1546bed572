// Sampling over a fake caller with a fake clock: how batches are chosen, and what ends it.
#include "engine/worker/judge/sampling/sampler.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "engine/worker/judge/sampling/confirmed.hpp"

namespace ridgeline::judge {
namespace {

double clock_now = 0;
double fake_now() {
  return clock_now;
}

class FakeCaller : public BatchCaller {
 public:
  explicit FakeCaller(double call) : call_(call) {}
  std::optional<BatchTimes> call(std::size_t first, std::size_t count) override {
    if (batches.size() == most_batches) return std::nullopt;
    batches.push_back({first, count});
    const double work = static_cast<double>(count) * (batches.size() <= slow_batches ? slow_call : call_);
    clock_now += work;
    return BatchTimes{.wall = work + 10e-6, .cpu = work, .outside_cpu = 0, .claimed = work};
  }
  std::vector<std::pair<std::size_t, std::size_t>> batches;
  std::size_t most_batches = 100'000;
  std::size_t slow_batches = 0;
  double slow_call = 0;

 private:
  double call_;
};

class FakeKeeper : public SlotKeeper {
 public:
  explicit FakeKeeper(std::size_t slots) : slots_(slots) {}
  std::size_t slots() const override { return slots_; }
  struct Filling {
    std::size_t first, count;
    bool cold;
  };
  bool arrange(std::size_t count) override {
    EXPECT_LE(count, slots_);
    arranged.push_back(count);
    return true;
  }
  double fill(std::size_t first, std::size_t count, bool cold) override {
    EXPECT_LE(first + count, arranged.back());
    fillings.push_back({first, count, cold});
    return interruption;
  }
  bool prepare_rounds(const HotPlan& plan) override {
    rounds.push_back(plan);
    return !unwilling && prepare(plan.slots, false);
  }
  bool inspect(std::size_t first, std::size_t count) override {
    EXPECT_LE(first + count, arranged.back());
    return ++inspected != wrong_at;
  }
  std::vector<std::size_t> arranged;
  std::vector<Filling> fillings;
  std::vector<HotPlan> rounds;
  double interruption = 0;
  bool unwilling = false;
  std::size_t inspected = 0;
  std::size_t wrong_at = 0;

 private:
  std::size_t slots_;
};

Sampling run(FakeCaller& caller, FakeKeeper& keeper, SamplingLimits limits = {}) {
  clock_now = 0;
  Random random(3);
  return sample(caller, keeper, limits, random, fake_now);
}

TEST(Sampler, FillsTheSlotsOfEachBatchRightBeforeIt) {
  FakeCaller caller(1e-4);
  FakeKeeper keeper(30);
  run(caller, keeper);
  ASSERT_EQ(keeper.fillings.size(), caller.batches.size());
  for (std::size_t i = 0; i < caller.batches.size(); ++i) {
    EXPECT_EQ(keeper.fillings[i].first, caller.batches[i].first);
    EXPECT_EQ(keeper.fillings[i].count, caller.batches[i].second);
  }
}

TEST(Sampler, KeepsHowLongAFillingWasInterrupted) {
  FakeCaller caller(1e-4);
  FakeKeeper keeper(30);
  keeper.interruption = 1e-3;
  const auto sampling = run(caller, keeper);
  EXPECT_EQ(sampling.pairs.back().twice.interruption, 1e-3);
  EXPECT_EQ(sampling.pairs.back().single.interruption, 1e-3);
}

TEST(Sampler, PutsShortCallsIntoLongerBatches) {
  FakeCaller caller(1e-6);
  FakeKeeper keeper(768);
  const auto sampling = run(caller, keeper);
  EXPECT_EQ(sampling.end, SamplingEnd::enough);
  ASSERT_FALSE(sampling.pairs.empty());
  for (const auto& pair : sampling.pairs) EXPECT_NEAR(static_cast<double>(pair.calls), 200, 2);
}

TEST(Sampler, CountsAPairOfNearlyEnoughCalls) {
  FakeCaller caller(3e-6);
  FakeKeeper keeper(768);
  const auto sampling = run(caller, keeper);
  ASSERT_FALSE(sampling.pairs.empty());
  EXPECT_EQ(sampling.pairs.front().calls, 64u) << "of 67, after 1 and 8";
  EXPECT_NEAR(static_cast<double>(sampling.pairs.back().calls), 67, 1);
  EXPECT_EQ(caller.batches.size(), 2 * (sampling.pairs.size() + 2)) << "two were pilots";
}

TEST(Sampler, TakesNoPilotsIfACallsLengthIsKnown) {
  FakeCaller caller(1e-6);
  FakeKeeper keeper(768);
  clock_now = 0;
  Random random(3);
  const auto sampling = sample(caller, keeper, {}, random, fake_now, 200);
  EXPECT_EQ(caller.batches.size(), 2 * sampling.pairs.size());
}

TEST(Sampler, LengthensBatchesOfACallThatBecameFaster) {
  FakeCaller caller(1e-6);
  caller.slow_batches = 2;
  caller.slow_call = 1e-3;
  FakeKeeper keeper(768);
  Random random(1);
  sample(caller, keeper, {}, random, fake_now);
  EXPECT_EQ(caller.batches.front().second + caller.batches[1].second, 3u);
  EXPECT_GE(caller.batches.back().second, 100u);
}

TEST(Sampler, TakesLongCallsOneAndTwoAtATime) {
  FakeCaller caller(5e-3);
  FakeKeeper keeper(768);
  const auto sampling = run(caller, keeper);
  for (const auto& pair : sampling.pairs) EXPECT_EQ(pair.calls, 1u);
  EXPECT_GE(sampling.pairs.size(), 3u);
  EXPECT_EQ(sampling.end, SamplingEnd::capped);
}

TEST(Sampler, CallsNoSlotTwiceBetweenTwoFillings) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  run(caller, keeper);
  ASSERT_EQ(caller.batches.size(), 2 * keeper.arranged.size());
  for (std::size_t i = 0; i < caller.batches.size(); i += 2) {
    std::set<std::size_t> called;
    for (const auto& [first, count] : {caller.batches[i], caller.batches[i + 1]})
      for (std::size_t slot = first; slot < first + count; ++slot) EXPECT_TRUE(called.insert(slot).second);
    EXPECT_EQ(called.size(), keeper.arranged[i / 2]);
    EXPECT_TRUE(keeper.fillings[i].cold) << "cold samples are flushed";
  }
}

TEST(Sampler, DoesNotAlwaysTakeTheLongBatchFirst) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  run(caller, keeper, {.floor_samples = 20});
  std::set<bool> long_first;
  for (std::size_t i = 0; i < caller.batches.size(); i += 2)
    long_first.insert(caller.batches[i].second > caller.batches[i + 1].second);
  EXPECT_EQ(long_first.size(), 2u);
}

TEST(Sampler, EndsWhenTheCallerEnds) {
  FakeCaller caller(20e-6);
  caller.most_batches = 7;
  FakeKeeper keeper(300);
  EXPECT_EQ(run(caller, keeper).end, SamplingEnd::caller_over);
}

TEST(Sampler, EndsAtOnceAtAWrongSlot) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  keeper.wrong_at = 5;
  EXPECT_EQ(run(caller, keeper).end, SamplingEnd::slot_wrong);
  EXPECT_EQ(caller.batches.size(), 5u) << "nothing is called after it";
}

TEST(Sampler, EndsWithASinglePairOfVeryLongCalls) {
  FakeCaller caller(2);
  FakeKeeper keeper(3);
  EXPECT_EQ(run(caller, keeper).pairs.size(), 1u);
}

TEST(Sampler, WarmsHotCallsAndNeverFlushesThem) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  const auto sampling = sample_hot(caller, keeper, {.slots = 4, .calls = 10}, 5);
  EXPECT_EQ(sampling.pairs.size(), 5u);
  ASSERT_EQ(keeper.fillings.size(), 1u);
  EXPECT_FALSE(keeper.fillings[0].cold);
  EXPECT_EQ(keeper.rounds[0].slots, 4u);
  EXPECT_EQ(caller.batches[0], (std::pair<std::size_t, std::size_t>{0, 10}));
  EXPECT_EQ(caller.batches[1], (std::pair<std::size_t, std::size_t>{10, 20}));
  EXPECT_EQ(caller.batches.size(), 12u) << "two to warm, and five pairs";
  for (const auto& pair : sampling.pairs) EXPECT_EQ(pair.calls, 10u);
}

TEST(Sampler, InspectsTheSlotsAfterAllHotCalls) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  EXPECT_EQ(sample_hot(caller, keeper, {.slots = 4, .calls = 10}, 5).end, SamplingEnd::enough);
  EXPECT_EQ(keeper.inspected, 1u);
  keeper.wrong_at = 2;
  const auto wrong = sample_hot(caller, keeper, {.slots = 4, .calls = 10}, 5);
  EXPECT_EQ(wrong.end, SamplingEnd::slot_wrong);
  EXPECT_EQ(wrong.pairs.size(), 5u) << "all were taken before";
}

TEST(Sampler, FillsDriftingHotSlotsBeforeEachPair) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  sample_hot(caller, keeper, {.slots = 30, .calls = 10, .refill = true}, 5);
  EXPECT_EQ(keeper.rounds.size(), 5u);
  EXPECT_EQ(keeper.inspected, 0u) << "each was called more than once";
}

TEST(Sampler, InspectsTheSlotsOfAGraphBeforeItIsTimed) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  const HotPlan plan{.slots = 4, .calls = 10, .replay = true};
  EXPECT_EQ(sample_hot(caller, keeper, plan, 5).end, SamplingEnd::enough);
  EXPECT_EQ(keeper.inspected, 1u);
  keeper.wrong_at = 2;
  const auto wrong = sample_hot(caller, keeper, plan, 5);
  EXPECT_EQ(wrong.end, SamplingEnd::slot_wrong);
  EXPECT_TRUE(wrong.pairs.empty());
}

TEST(Sampler, TimesNoBatchThatCannotBeReplayed) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  keeper.unwilling = true;
  EXPECT_TRUE(sample_hot(caller, keeper, {.slots = 4, .calls = 10, .replay = true}, 5).pairs.empty());
  EXPECT_TRUE(caller.batches.empty());
}

TEST(HotPlan, LetsCallsGoRoundOverTheSlotsThatTheCacheHolds) {
  const SamplingLimits limits{.batch_seconds = 1e-3, .most_calls = 256};
  const auto one = plan_hot(60e6, std::size_t{12} << 20, 10e-6, 300, limits, false);
  EXPECT_EQ(one.slots, 1u);
  EXPECT_EQ(one.calls, 100u) << "a batch lasts a millisecond, however few slots there are";
  EXPECT_EQ(plan_hot(60e6, 1'000'000, 10e-6, 300, limits, false).slots, 15u);
  EXPECT_EQ(plan_hot(60e6, 1'000, 10e-6, 300, limits, false).slots, 300u) << "no more than calls";
  EXPECT_EQ(plan_hot(60e6, 1'000, 10e-6, 60, limits, false).slots, 60u) << "no more than there are";
}

TEST(HotPlan, HasNoSlotsIfTheCacheHoldsNone) {
  EXPECT_EQ(plan_hot(60e6, std::size_t{16} << 20, 10e-6, 300, {}, false).slots, 0u);
  EXPECT_EQ(plan_hot(60e6, std::size_t{6} << 20, 10e-6, 300, {}, true).slots, 0u) << "a pair wants three";
}

TEST(HotPlan, CallsADriftingSlotOnceBetweenTwoFillings) {
  const auto plan = plan_hot(60e6, 1'000'000, 10e-6, 300, {}, true);
  EXPECT_EQ(plan.calls, 5u);
  EXPECT_EQ(plan.slots, 15u);
}

/// Confirms samples of an invented kernel, whose measurements end in `evidence` one after another.
/// `something_beside`: other work goes on until `quieten` is called.
struct Confirming {
  FakeKeeper keeper{30};
  std::vector<Evidence> evidence;
  bool something_beside = false;
  std::size_t weighed = 0, quietened = 0;

  explicit Confirming(const std::vector<Dispute>& disputes) {
    for (const auto dispute : disputes) {
      evidence.emplace_back().samples = {1e-4};
      evidence.back().dispute = dispute;
    }
  }
  ConfirmedSamples run() {
    FakeCaller caller(1e-4);
    clock_now = 0;
    Random random(3);
    const auto weigh = [&](const std::vector<BatchPair>& pairs) {
      EXPECT_FALSE(pairs.empty());
      return evidence.at(weighed++);
    };
    const auto quieten = [&] {
      ++quietened;
      return std::exchange(something_beside, false);
    };
    const auto take = [&] { return sample(caller, keeper, {}, random, fake_now); };
    return sample_confirmed(take, weigh, quieten);
  }
};

TEST(ConfirmedSamples, UndisputedSamplesAreKeptAtOnce) {
  Confirming bed({Dispute::none});
  bed.something_beside = true;
  const auto confirmed = bed.run();
  EXPECT_EQ(bed.weighed, 1u);
  EXPECT_EQ(bed.quietened, 0u);
  EXPECT_EQ(confirmed.evidence.dispute, Dispute::none);
  EXPECT_EQ(confirmed.at_first, Dispute::none);
}

TEST(ConfirmedSamples, ADisputeThatDoesNotRecurIsForgiven) {
  Confirming bed({Dispute::claim_undercuts, Dispute::none});
  const auto confirmed = bed.run();
  EXPECT_EQ(bed.weighed, 2u);
  EXPECT_EQ(bed.quietened, 1u) << "what goes on beside may have been why";
  EXPECT_EQ(confirmed.evidence.dispute, Dispute::none);
  EXPECT_EQ(confirmed.at_first, Dispute::claim_undercuts);
}

TEST(ConfirmedSamples, ADisputeThatRecursIsKept) {
  Confirming bed({Dispute::outside_window, Dispute::claim_undercuts});
  const auto confirmed = bed.run();
  EXPECT_EQ(bed.weighed, 2u);
  EXPECT_EQ(confirmed.evidence.dispute, Dispute::claim_undercuts);
}

TEST(ConfirmedSamples, CallsThatWaitForTheHostAreSampledAgainIfOtherWorkRan) {
  for (const bool beside : {true, false}) {
    Confirming bed({Dispute::none, Dispute::none});
    bed.something_beside = beside;
    for (auto& one : bed.evidence) one.claimed = 0.5e-4;
    bed.evidence.back().samples = {0.9e-4};
    const auto confirmed = bed.run();
    EXPECT_EQ(bed.weighed, beside ? 2u : 1u);
    EXPECT_EQ(confirmed.evidence.samples.front(), beside ? 0.9e-4 : 1e-4);
    EXPECT_EQ(confirmed.at_first, Dispute::none);
  }
}

TEST(ConfirmedSamples, CallsThatKeepTheDeviceBusyAreNotSampledAgain) {
  Confirming bed({Dispute::none});
  bed.something_beside = true;
  bed.evidence.front().claimed = 0.97e-4;
  bed.run();
  EXPECT_EQ(bed.weighed, 1u);
}

TEST(ConfirmedSamples, AWrongSlotEndsSamplingBeforeAnythingIsWeighed) {
  Confirming bed({});
  bed.keeper.wrong_at = 2;
  EXPECT_EQ(bed.run().end, SamplingEnd::slot_wrong);
  EXPECT_EQ(bed.weighed, 0u);
}

}  // namespace
}  // namespace ridgeline::judge
