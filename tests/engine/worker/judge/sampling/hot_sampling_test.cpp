// Hot and replayed samples over a fake caller: their plan, their fillings, and when their slots are
// inspected.
#include <gtest/gtest.h>

#include <utility>

#include "engine/worker/judge/sampling/sampler.hpp"
#include "fake_calls.hpp"

namespace ridgeline::judge {
namespace {

TEST(HotSampler, WarmsHotCallsAndNeverFlushesThem) {
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
  for (const auto& pair : sampling.pairs)
    EXPECT_EQ(std::pair(pair.longer_calls, pair.shorter_calls), std::pair(std::size_t{20}, std::size_t{10}));
}

TEST(HotSampler, InspectsTheSlotsAfterAllHotCalls) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  EXPECT_EQ(sample_hot(caller, keeper, {.slots = 4, .calls = 10}, 5).end, SamplingEnd::enough);
  EXPECT_EQ(keeper.inspected, 1u);
  keeper.wrong_at = 2;
  const auto wrong = sample_hot(caller, keeper, {.slots = 4, .calls = 10}, 5);
  EXPECT_EQ(wrong.end, SamplingEnd::slot_wrong);
  EXPECT_EQ(wrong.pairs.size(), 5u) << "all were taken before";
}

TEST(HotSampler, FillsDriftingHotSlotsBeforeEachPair) {
  FakeCaller caller(20e-6);
  FakeKeeper keeper(300);
  sample_hot(caller, keeper, {.slots = 30, .calls = 10, .refill = true}, 5);
  EXPECT_EQ(keeper.rounds.size(), 5u);
  EXPECT_EQ(keeper.inspected, 0u) << "each was called more than once";
}

TEST(HotSampler, InspectsTheSlotsOfAGraphBeforeItIsTimed) {
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

TEST(HotSampler, TimesNoBatchThatCannotBeReplayed) {
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

}  // namespace
}  // namespace ridgeline::judge
