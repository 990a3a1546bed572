// Calls that are quicker in company are found out by calls that have none.
#include "engine/worker/judge/sampling/lone_calls.hpp"

#include <gtest/gtest.h>

#include "fake_calls.hpp"

namespace ridgeline::judge {
namespace {

constexpr Overhead kEmpty{.wall = 10e-6, .cpu = 0};  // FakeCaller::wake

TEST(LoneCalls, ACallMayCostMoreAloneByTheAllowanceAndATenth) {
  EXPECT_FALSE(helped_by_others(1e-3, 1e-3 + lone_call_allowance));
  EXPECT_FALSE(helped_by_others(1e-3, 1.09e-3 + lone_call_allowance));
  EXPECT_TRUE(helped_by_others(1e-3, 1.11e-3 + lone_call_allowance));
  EXPECT_FALSE(helped_by_others(10e-6, 100e-6)) << "below the allowance nothing is seen";
}

TEST(LoneCalls, EachWindowHasOneCallAndNoOtherSlotIsFilled) {
  FakeCaller caller(2e-3);
  FakeKeeper keeper(300);
  const auto lone = sample_lone_calls(caller, keeper, {}, kEmpty);
  EXPECT_EQ(lone.end, SamplingEnd::enough);
  ASSERT_EQ(caller.batches.size(), 5u);
  for (const auto& batch : caller.batches) EXPECT_EQ(batch, std::pair(std::size_t{0}, std::size_t{1}));
  for (const auto& filling : keeper.fillings) {
    EXPECT_EQ(filling.count, 1u);
    EXPECT_TRUE(filling.cold);
  }
  EXPECT_NEAR(lone.least(), 2e-3, 1e-9);
}

TEST(LoneCalls, TwoLongWindowsAreEnoughAndTheLeastCounts) {
  FakeCaller caller(1);
  caller.slow_batches = 1;
  caller.slow_call = 2;
  FakeKeeper keeper(300);
  const auto lone = sample_lone_calls(caller, keeper, {}, kEmpty);
  EXPECT_EQ(caller.batches.size(), 2u);
  EXPECT_NEAR(lone.least(), 1, 1e-9);
}

TEST(LoneCalls, AWrongSlotAndACallerThatEndedAreReported) {
  FakeCaller caller(1e-3);
  FakeKeeper wrong(300);
  wrong.wrong_at = 2;
  EXPECT_EQ(sample_lone_calls(caller, wrong, {}, kEmpty).end, SamplingEnd::slot_wrong);
  FakeCaller ended(1e-3);
  ended.most_batches = 1;
  FakeKeeper keeper(300);
  EXPECT_EQ(sample_lone_calls(ended, keeper, {}, kEmpty).end, SamplingEnd::caller_over);
}

}  // namespace
}  // namespace ridgeline::judge
