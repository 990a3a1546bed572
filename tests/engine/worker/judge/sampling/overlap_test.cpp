// Calls that overlap when they are queued are found out by calls that wait for one another.
#include "engine/worker/judge/sampling/overlap.hpp"

#include <gtest/gtest.h>

#include "engine/worker/judge/sampling/cuda_evidence.hpp"
#include "fake_calls.hpp"

namespace ridgeline::judge {
namespace {

OverlapSamples look(FakeCaller& caller, FakeKeeper& keeper, double queued) {
  clock_now = 0;
  Random random(3);
  const auto weigh = [](const auto& pairs) { return weigh_on_device(pairs, {}, 0); };
  return sample_overlap(caller, keeper, {}, random, fake_now, weigh, queued);
}

TEST(Overlap, TheWaitItselfIsNone) {
  EXPECT_FALSE(overlap(10e-6, 10e-6 + device_wait));
  EXPECT_FALSE(overlap(100e-6, 104e-6 + device_wait)) << "within what times vary";
  EXPECT_TRUE(overlap(100e-6, 106e-6 + device_wait));
  EXPECT_FALSE(overlap(2e-6, 2.3e-6 + device_wait)) << "waits differ by tenths of a microsecond";
}

TEST(Overlap, CallsThatTakeAsLongOneByOneKeepTheirSamplesAfterThreePairs) {
  FakeCaller caller(20e-6 + device_wait);
  FakeKeeper keeper(300);
  const auto found = look(caller, keeper, 20e-6);
  EXPECT_EQ(found.end, SamplingEnd::enough);
  EXPECT_FALSE(found.overlaps);
  EXPECT_EQ(caller.batches.size(), 6u);
}

TEST(Overlap, CallsThatOverlapHaveTheirTimeOneByOneWithoutTheWait) {
  FakeCaller caller(40e-6 + device_wait);
  FakeKeeper keeper(300);
  const auto found = look(caller, keeper, 20e-6);
  EXPECT_TRUE(found.overlaps);
  EXPECT_EQ(caller.batches.size(), 18u);
  ASSERT_EQ(found.evidence.samples.size(), 9u);
  for (const double sample : found.evidence.samples) EXPECT_NEAR(sample, 40e-6, 1e-9);
}

TEST(Overlap, SamplesThatTheWaitExceedsAreDropped) {
  clock_now = 0;
  Random random(3);
  FakeCaller caller(4e-6);
  FakeKeeper keeper(300);
  const auto weigh = [](const auto&) {
    Evidence evidence;
    evidence.samples = {0.2e-6, device_wait, 4e-6, 4e-6, 5e-6};
    return evidence;
  };
  const auto found = sample_overlap(caller, keeper, {}, random, fake_now, weigh, 1e-6);
  EXPECT_TRUE(found.overlaps);
  EXPECT_EQ(found.evidence.samples,
            (std::vector<double>{4e-6 - device_wait, 4e-6 - device_wait, 5e-6 - device_wait}));
}

TEST(Overlap, OnePairOfVeryLongCallsIsEnough) {
  FakeCaller caller(1);
  FakeKeeper keeper(300);
  EXPECT_FALSE(look(caller, keeper, 1).overlaps);
  EXPECT_EQ(caller.batches.size(), 2u);
}

TEST(Overlap, AWrongSlotAndACallerThatEndedAreReported) {
  FakeCaller caller(20e-6);
  FakeKeeper wrong(300);
  wrong.wrong_at = 3;
  EXPECT_EQ(look(caller, wrong, 20e-6).end, SamplingEnd::slot_wrong);
  FakeCaller ended(20e-6);
  ended.most_batches = 1;
  FakeKeeper keeper(300);
  EXPECT_EQ(look(ended, keeper, 20e-6).end, SamplingEnd::caller_over);
}

/// Looks for an overlap where pairs are disputed the first `disputed` times that they are weighed: of nine
/// pairs that is seven times, after the third and after each that follows.
OverlapSamples look_with_disputes(FakeCaller& caller, int disputed) {
  clock_now = 0;
  Random random(3);
  FakeKeeper keeper(300);
  int weighed = 0;
  const auto weigh = [&](const auto& pairs) {
    auto evidence = weigh_on_device(pairs, {}, 0);
    if (weighed++ < disputed) evidence.dispute = Dispute::outside_window;
    return evidence;
  };
  return sample_overlap_with_retry(caller, keeper, {}, random, fake_now, weigh, 20e-6);
}

TEST(Overlap, NinePairsDecideAboutADisputeOfThree) {
  for (const int disputed : {1, 6}) {
    FakeCaller caller(20e-6 + device_wait);
    EXPECT_EQ(look_with_disputes(caller, disputed).evidence.dispute, Dispute::none);
    EXPECT_EQ(caller.batches.size(), 18u);
  }
}

TEST(Overlap, ADisputeCountsOnlyIfItComesTwice) {
  FakeCaller once(20e-6 + device_wait), twice(20e-6 + device_wait), never(20e-6 + device_wait);
  EXPECT_EQ(look_with_disputes(once, 7).evidence.dispute, Dispute::none);
  EXPECT_EQ(once.batches.size(), 24u);
  EXPECT_EQ(look_with_disputes(twice, 14).evidence.dispute, Dispute::outside_window);
  EXPECT_EQ(twice.batches.size(), 36u) << "and there is no third time";
  EXPECT_EQ(look_with_disputes(never, 0).evidence.dispute, Dispute::none);
  EXPECT_EQ(never.batches.size(), 6u);
}

}  // namespace
}  // namespace ridgeline::judge
