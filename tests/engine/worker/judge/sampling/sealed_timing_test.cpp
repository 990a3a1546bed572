// Calls that only seem fast in company are found out where each call's inputs are sealed until the call
// before is over; calls that take what they take are not.
#include "engine/worker/judge/sampling/sealed_timing.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace ridgeline::judge {
namespace {

constexpr SealedCosts kCosts{.per_batch = 150e-6, .per_call = 45e-6};
constexpr double kSmall = 1e-6;  // seconds to open small inputs

TEST(SealedCalls, ABatchIsLongBesideWhatIsUncertainOfIt) {
  const auto shortest = plan_sealed_calls(2e-6, kSmall, 64, kCosts);
  EXPECT_GE(shortest.calls, 60u);
  EXPECT_NEAR(shortest.per_call, 46e-6, 1e-9);
  EXPECT_LT(shortest.allowance, 4e-6);
  const auto longer = plan_sealed_calls(1e-3, kSmall, 64, kCosts);
  EXPECT_EQ(longer.calls, 4u);
  EXPECT_LT(longer.allowance, 0.03e-3);
  EXPECT_EQ(plan_sealed_calls(2e-6, kSmall, 6, kCosts).calls, 6u) << "no more slots than there are";
}

TEST(SealedCalls, WhatOpeningTakesIsLeftOutAndATenthOfItAllowed) {
  const auto plan = plan_sealed_calls(100e-6, 80e-6, 64, kCosts);
  EXPECT_NEAR(plan.per_call, 45e-6 + 80e-6, 1e-9);
  EXPECT_GT(plan.allowance, 8e-6);
}

TEST(SealedCalls, WritingBackWhatWasOpenedIsAllowed) {
  const auto emptied = plan_sealed_calls(100e-6, 20e-6, 64, kCosts),
             kept = plan_sealed_calls(100e-6, 20e-6, 64, kCosts, 6e-6);
  EXPECT_NEAR(kept.allowance - emptied.allowance, 6e-6, 1e-9);
  EXPECT_TRUE(helped_by_others(100e-6, 120e-6, emptied));
  EXPECT_FALSE(helped_by_others(100e-6, 120e-6, kept));
}

TEST(SealedCalls, ALongReferenceHasTheFewestCallsAndNoTimeNone) {
  EXPECT_EQ(plan_sealed_calls(8e-3, kSmall, 64, kCosts).calls, 4u);
  EXPECT_EQ(plan_sealed_calls(1e-3, kSmall, 1, kCosts).calls, 0u) << "one slot is no batch";
  EXPECT_EQ(plan_sealed_calls(0, kSmall, 64, kCosts).calls, 0u);
}

/// Calls that take `seconds` each when sealed, on a host that is busy for the first windows.
class FakeSealedBatches final : public SealedBatches {
 public:
  FakeSealedBatches(double seconds, SealedPlan plan, std::size_t busy = 0)
      : seconds_(seconds), plan_(plan), busy_(busy) {}
  std::optional<double> call(std::size_t calls, SamplingEnd& end) override {
    if (++windows == fails_at) {
      end = SamplingEnd::slot_wrong;
      return std::nullopt;
    }
    const double late = windows <= busy_ ? 1e-3 : 0;
    return plan_.per_batch + late + static_cast<double>(calls) * (plan_.per_call + seconds_);
  }
  std::size_t windows = 0, fails_at = 0;

 private:
  double seconds_;
  SealedPlan plan_;
  std::size_t busy_;
};

TEST(SealedCalls, HonestCallsTakeNoMoreWindowsThanAreWanted) {
  const auto plan = plan_sealed_calls(50e-6, kSmall, 64, kCosts);
  FakeSealedBatches honest(50e-6, plan);
  const auto times = sample_sealed_calls(honest, plan, 50e-6);
  EXPECT_EQ(honest.windows, 1u);
  sample_sealed_calls(honest, plan, 50e-6, 2);
  EXPECT_EQ(honest.windows, 3u);
  EXPECT_NEAR(times.least(), 50e-6, 1e-9);
  EXPECT_FALSE(helped_by_others(50e-6, times.least(), plan));
}

TEST(SealedCalls, ABusyHostGetsMoreWindowsAndNoBlame) {
  const auto plan = plan_sealed_calls(50e-6, kSmall, 64, kCosts);
  FakeSealedBatches disturbed(50e-6, plan, 4);
  const auto times = sample_sealed_calls(disturbed, plan, 50e-6);
  EXPECT_EQ(disturbed.windows, 5u);
  EXPECT_FALSE(helped_by_others(50e-6, times.least(), plan));
}

TEST(SealedCalls, AFirstCallThatDidTheWorkOfOthersIsFoundOut) {
  // Eight calls at once take as long as one: 6.25 µs each in a batch, 50 µs alone.
  const auto plan = plan_sealed_calls(6.25e-6, kSmall, 64, kCosts);
  FakeSealedBatches helped(50e-6, plan);
  const auto times = sample_sealed_calls(helped, plan, 6.25e-6);
  EXPECT_EQ(helped.windows, 9u);
  EXPECT_TRUE(helped_by_others(6.25e-6, times.least(), plan));
}

TEST(SealedCalls, AWrongSlotEndsThem) {
  const auto plan = plan_sealed_calls(50e-6, kSmall, 64, kCosts);
  FakeSealedBatches wrong(50e-6, plan);
  wrong.fails_at = 2;
  EXPECT_EQ(sample_sealed_calls(wrong, plan, 10e-6).end, SamplingEnd::slot_wrong);
}

}  // namespace
}  // namespace ridgeline::judge
