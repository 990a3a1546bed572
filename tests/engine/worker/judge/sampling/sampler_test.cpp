// Sampling over a fake caller with a fake clock: how batches are chosen, and what ends it.
#include "engine/worker/judge/sampling/sampler.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "engine/worker/judge/sampling/cuda_evidence.hpp"
#include "fake_calls.hpp"

namespace ridgeline::judge {
namespace {

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
  EXPECT_EQ(sampling.pairs.back().longer.interruption, 1e-3);
  EXPECT_EQ(sampling.pairs.back().shorter.interruption, 1e-3);
}

TEST(Sampler, OnADeviceNeitherWakeUpsNorCpuTimeKeepAPairFromCounting) {
  FakeCaller caller(1e-4);
  caller.wake = 300e-6;
  FakeKeeper keeper(30);
  const auto on_device = run(caller, keeper, {.sample_of = uninterrupted_slope});
  EXPECT_EQ(on_device.end, SamplingEnd::enough);
  EXPECT_EQ(on_device.pairs.size(), 8u);
  EXPECT_EQ(run(caller, keeper).end, SamplingEnd::capped) << "on a CPU it may be another program's time";
}

TEST(Sampler, OnADeviceInterruptedPairsDoNotCount) {
  FakeCaller caller(1e-4);
  FakeKeeper keeper(30);
  keeper.interruption = 1e-3;
  EXPECT_EQ(run(caller, keeper, {.sample_of = uninterrupted_slope}).end, SamplingEnd::capped);
}

TEST(Sampler, PutsShortCallsIntoLongerBatches) {
  FakeCaller caller(1e-6);
  FakeKeeper keeper(768);
  const auto sampling = run(caller, keeper);
  EXPECT_EQ(sampling.end, SamplingEnd::enough);
  ASSERT_FALSE(sampling.pairs.empty());
  for (const auto& pair : sampling.pairs) EXPECT_NEAR(pair.all_calls(), 3 * 200, 6);
}

TEST(Sampler, GivesTheLongerBatchFiveSixthsOfTheCalls) {
  FakeCaller caller(10e-6);
  FakeKeeper keeper(768);
  const auto sampling = run(caller, keeper);
  ASSERT_FALSE(sampling.pairs.empty());
  EXPECT_EQ(sampling.pairs.back().longer_calls, 50u);
  EXPECT_EQ(sampling.pairs.back().shorter_calls, 10u);
}

TEST(Sampler, CountsAPairOfNearlyEnoughCalls) {
  FakeCaller caller(3e-6);
  FakeKeeper keeper(768);
  const auto sampling = run(caller, keeper);
  ASSERT_FALSE(sampling.pairs.empty());
  EXPECT_EQ(sampling.pairs.front().all_calls(), 3 * 64) << "of 67, after 1 and 8";
  EXPECT_NEAR(sampling.pairs.back().all_calls(), 3 * 67, 3);
  EXPECT_EQ(caller.batches.size(), 2 * (sampling.pairs.size() + 2)) << "two were pilots";
}

TEST(Sampler, PlansBatchesWithoutTheFixedCostOfAWindow) {
  constexpr double wake = 200e-6;
  const auto calls_and_pilots = [&](double call, const Overhead& trusted) {
    FakeCaller caller(call);
    caller.wake = wake;
    caller.wakes_busily = true;
    caller.trusted = trusted;
    FakeKeeper keeper(768);
    const auto sampling = run(caller, keeper, {.batch_seconds = 0.6e-3, .sample_of = uninterrupted_slope});
    return std::pair(static_cast<std::size_t>(sampling.pairs.back().all_calls()) / 3,
                     caller.batches.size() / 2 - sampling.pairs.size());
  };
  const Overhead trusted{.wall = wake, .cpu = wake};
  EXPECT_EQ(calls_and_pilots(11e-6, trusted), std::pair(std::size_t{55}, std::size_t{2}))
      << "0.6 ms of calls";
  EXPECT_EQ(calls_and_pilots(11e-6, {}), std::pair(std::size_t{47}, std::size_t{3})) << "fewer, found later";
  EXPECT_EQ(calls_and_pilots(70e-6, trusted), std::pair(std::size_t{9}, std::size_t{1}));
  EXPECT_EQ(calls_and_pilots(70e-6, {}), std::pair(std::size_t{8}, std::size_t{2}));
}

TEST(Sampler, AnOverheadOfABusyHostMakesBatchesAtMostFourTimesAsLong) {
  FakeCaller caller(400e-6);
  caller.wake = 0;
  caller.trusted = {.wall = 1, .cpu = 1};
  FakeKeeper keeper(768);
  const auto sampling = run(caller, keeper, {.batch_seconds = 0.75e-3});
  ASSERT_FALSE(sampling.pairs.empty());
  for (const auto& pair : sampling.pairs) EXPECT_EQ(pair.all_calls(), 3 * 8) << "where 2 would have done";
}

TEST(Sampler, AGoalEndsSamplingEarlier) {
  FakeCaller caller(1e-4);
  FakeKeeper keeper(30);
  EXPECT_EQ(run(caller, keeper).pairs.size(), 8u);
  EXPECT_EQ(run(caller, keeper, {.goal = 0.05}).pairs.size(), 6u);
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
  for (const auto& pair : sampling.pairs)
    EXPECT_EQ(std::pair(pair.longer_calls, pair.shorter_calls), std::pair(std::size_t{2}, std::size_t{1}));
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

}  // namespace
}  // namespace ridgeline::judge
