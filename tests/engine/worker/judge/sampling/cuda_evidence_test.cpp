// Invented times of a device: what the score is, and when the runner's own figure is disputed.
#include "engine/worker/judge/sampling/cuda_evidence.hpp"

#include <gtest/gtest.h>

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kDeviceOverhead = 15e-6;
constexpr Overhead kDeviceTrusted{.wall = kDeviceOverhead};
constexpr double kDeviceCall = 60e-6;
constexpr std::size_t kDeviceCalls = 10;
constexpr double kClock = 1.98e9;

/// `absorbed`: seconds that the first call of a batch saves, since the L2 takes its writes.
BatchTimes honest_device_times(std::size_t calls, double absorbed = 0) {
  const double work = static_cast<double>(calls) * kDeviceCall - absorbed;
  return {.wall = kDeviceOverhead + work, .cpu = work, .outside_cpu = 0, .claimed = work};
}

std::vector<BatchPair> honest_device_pairs(int count, double absorbed = 0) {
  return std::vector<BatchPair>(
      count, BatchPair{2 * kDeviceCalls, kDeviceCalls, honest_device_times(2 * kDeviceCalls, absorbed),
                       honest_device_times(kDeviceCalls, absorbed)});
}

TEST(CudaEvidence, SlopesAreFreeOfTheFixedCostOfABatch) {
  const auto evidence = weigh_on_device(honest_device_pairs(10), kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.estimator, Estimator::slope);
  EXPECT_EQ(evidence.dispute, Dispute::none);
  EXPECT_NEAR(median(evidence.samples), kDeviceCall, 1e-12);
}

TEST(CudaEvidence, WritesAbsorbedByTheCacheAreNotDisputed) {
  const auto evidence = weigh_on_device(honest_device_pairs(10, kDeviceCall / 2), kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.dispute, Dispute::none);
  EXPECT_NEAR(median(evidence.samples), kDeviceCall, 1e-12);
  EXPECT_LT(evidence.claimed, kDeviceCall);
}

TEST(CudaEvidence, WindowsStretchedByABusyHostAreNotDisputed) {
  auto pairs = honest_device_pairs(10);
  for (auto& pair : pairs) {
    pair.longer.wall += 4e-3;
    pair.longer.waited = 3.98e-3;
  }
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.dispute, Dispute::none);
  EXPECT_GT(median(evidence.samples), kDeviceCall) << "and nothing is gained by waiting";
  for (auto& pair : pairs) pair.longer.waited = 1e-3;
  EXPECT_EQ(weigh_on_device(pairs, kDeviceTrusted, kClock).dispute, Dispute::claim_undercuts)
      << "3 ms are unexplained";
}

TEST(CudaEvidence, SamplesWhoseFillingWasInterruptedOnceInAWhileAreLeftOut) {
  auto pairs = honest_device_pairs(10);
  pairs[3].longer.interruption = 2e-3;
  pairs[3].longer.wall -= 10 * kDeviceCall;  // whoever had the device may have worked ahead
  pairs[3].longer.claimed -= 10 * kDeviceCall;
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.dispute, Dispute::none);
  EXPECT_EQ(evidence.samples.size(), 9u);
}

TEST(CudaEvidence, FillingsThatAreInterruptedInAFifthOfTheSamplesAreDisputed) {
  auto pairs = honest_device_pairs(10);
  pairs[3].longer.interruption = pairs[7].shorter.interruption = 2e-3;
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.dispute, Dispute::outside_window);
  EXPECT_NE(evidence.detail.find("2 of 10 samples"), std::string::npos) << evidence.detail;
}

TEST(CudaEvidence, InterruptedSamplesDoNotCountAsTakenAtALowClock) {
  auto pairs = honest_device_pairs(12);
  for (auto& pair : pairs) pair.clock = kClock;
  pairs[3].longer.interruption = 2e-3;
  pairs[5].clock = 0.5 * kClock;
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.interrupted, 1u);
  EXPECT_EQ(evidence.slow, 1u);
  EXPECT_EQ(evidence.samples.size(), 10u);
  const auto remarks = remarks_on(evidence);
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_NE(remarks[0].find("1 of 12 samples were taken at a low clock"), std::string::npos) << remarks[0];
  EXPECT_NE(remarks[1].find("1 of 12 samples are left out"), std::string::npos) << remarks[1];
}

TEST(CudaEvidence, InterruptedSamplesAreNotTakenEvenWhereTheOthersAreFew) {
  auto pairs = honest_device_pairs(3);
  pairs[1].shorter.interruption = 2e-3;
  EXPECT_EQ(weigh_on_device(pairs, kDeviceTrusted, kClock).samples.size(), 2u);
}

TEST(CudaEvidence, AMeasurementWhoseEverySampleWasInterruptedIsDisputed) {
  auto pairs = honest_device_pairs(1);
  pairs[0].longer.interruption = 2e-3;
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.dispute, Dispute::outside_window);
  EXPECT_NEAR(median(evidence.samples), kDeviceCall, 1e-12) << "the figure is there, for people";
}

TEST(CudaEvidence, AClaimFarBelowItsWindowIsDisputed) {
  auto pairs = honest_device_pairs(10);
  for (auto& pair : pairs) pair.longer.claimed *= 0.5;
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.dispute, Dispute::claim_undercuts);
  EXPECT_FALSE(evidence.detail.empty());
  EXPECT_NEAR(median(evidence.samples), kDeviceCall, 1e-12) << "what it claims is not what it scores";
}

TEST(CudaEvidence, AFewLateRepliesAreNotDisputed) {
  auto pairs = honest_device_pairs(10);
  for (std::size_t i = 0; i < 4; ++i) pairs[i].longer.wall += 1e-3;
  EXPECT_EQ(weigh_on_device(pairs, kDeviceTrusted, kClock).dispute, Dispute::none);
}

TEST(CudaEvidence, ADeviceThatIsBusyAfterTheReplyIsDisputed) {
  auto pairs = honest_device_pairs(10);
  for (auto& pair : pairs) {
    pair.longer = {
        .wall = 120e-6, .cpu = 0, .outside_cpu = 0, .claimed = 100e-6, .settle = 150e-6 + 20 * kDeviceCall};
    pair.shorter = {
        .wall = 70e-6, .cpu = 0, .outside_cpu = 0, .claimed = 50e-6, .settle = 150e-6 + 10 * kDeviceCall};
  }
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.dispute, Dispute::outside_window);
  EXPECT_FALSE(evidence.detail.empty());
}

TEST(CudaEvidence, WorkLeftForMoreThanATimeSliceIsDisputedThoughBothBatchesLookAlike) {
  // Waiting was patched away: launches alone are seen, and another process comes in between after 2 ms.
  auto pairs = honest_device_pairs(10);
  for (auto& pair : pairs) {
    pair.longer = {.wall = 330e-6, .cpu = 0, .outside_cpu = 0, .claimed = 322e-6, .settle = 2050e-6};
    pair.shorter = {.wall = 165e-6, .cpu = 0, .outside_cpu = 0, .claimed = 160e-6, .settle = 2200e-6};
  }
  pairs[0].longer.settle = pairs[0].shorter.settle = 150e-6;
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.dispute, Dispute::outside_window);
  EXPECT_NE(evidence.detail.find("answered nobody else"), std::string::npos) << evidence.detail;
}

TEST(CudaEvidence, WorkLeftAfterOneOfBothBatchesIsDisputed) {
  auto pairs = honest_device_pairs(10);
  for (auto& pair : pairs) {
    pair.shorter.settle = 150e-6;  // waited for there
    pair.longer.settle = 150e-6 + 0.1 * kDeviceCall * kDeviceCalls;
  }
  EXPECT_EQ(weigh_on_device(pairs, kDeviceTrusted, kClock).dispute, Dispute::none) << "a tenth of a call";
  for (auto& pair : pairs) {
    pair.longer_calls = 2, pair.shorter_calls = 1;  // of 20 ms
    pair.shorter.wall = pair.shorter.claimed = 20e-3;
    pair.longer.wall = pair.longer.claimed = 38e-3;
    pair.longer.settle = 2e-3;
  }
  EXPECT_EQ(weigh_on_device(pairs, kDeviceTrusted, kClock).dispute, Dispute::outside_window);
}

TEST(CudaEvidence, OccasionalSlowAnswersAreNotDisputed) {
  auto pairs = honest_device_pairs(10);
  for (std::size_t i = 0; i < 4; ++i) pairs[i].longer.settle = pairs[i].shorter.settle = 4e-3;
  for (std::size_t i = 4; i < 8; ++i) pairs[i].longer.settle = 2e-3;  // after one of both
  for (auto& pair : pairs) pair.shorter.settle = std::max(pair.shorter.settle, 150e-6);
  EXPECT_EQ(weigh_on_device(pairs, kDeviceTrusted, kClock).dispute, Dispute::none);
}

TEST(CudaEvidence, TheUsualTimeToHandTheDeviceOverIsNotDisputed) {
  auto pairs = honest_device_pairs(10);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].longer.settle = (150 + 7 * static_cast<double>(i % 5)) * 1e-6;
    pairs[i].shorter.settle = (150 + 7 * static_cast<double>(i % 3)) * 1e-6;
  }
  EXPECT_EQ(weigh_on_device(pairs, kDeviceTrusted, kClock).dispute, Dispute::none);
}

TEST(CudaEvidence, SamplesAtALowClockAreLeftOut) {
  auto pairs = honest_device_pairs(10);
  for (auto& pair : pairs) pair.clock = kClock;
  for (std::size_t i = 0; i < 6; ++i) {
    pairs[i].clock = 0.5 * kClock;
    pairs[i].longer.wall *= 2;
    pairs[i].shorter.wall *= 2;
  }
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.slow, 6u);
  EXPECT_NEAR(median(evidence.samples), kDeviceCall, 1e-12);
  EXPECT_EQ(remarks_on(evidence).size(), 1u);
}

TEST(CudaEvidence, AQuotientHasARemark) {
  const auto with_dearer_short_batches = [](double share) {
    auto pairs = honest_device_pairs(10);
    for (auto& pair : pairs) pair.shorter.wall += share * kDeviceCalls * kDeviceCall;
    return weigh_on_device(pairs, kDeviceTrusted, kClock);
  };
  const auto far = with_dearer_short_batches(0.117);
  EXPECT_EQ(far.estimator, Estimator::quotient);
  EXPECT_EQ(remarks_on(far), std::vector<std::string>{
                                 "timed by whole batches, since calls in short ones cost more: their slope "
                                 "is 0.85 of it"});
  const auto near = with_dearer_short_batches(0.053);
  EXPECT_EQ(near.estimator, Estimator::slope);
  EXPECT_TRUE(remarks_on(near).empty());
}

TEST(CudaEvidence, ADeviceThatIsAlwaysSlowIsTimedWithAllItsSamples) {
  auto pairs = honest_device_pairs(10);
  for (auto& pair : pairs) pair.clock = 0.5 * kClock;
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.slow, 0u);
  EXPECT_EQ(evidence.clock_hz, 0.5 * kClock);
  EXPECT_EQ(evidence.samples.size(), 10u);
}

TEST(CudaEvidence, PaddedShortBatchesGainNothing) {
  auto pairs = honest_device_pairs(10);
  for (auto& pair : pairs) pair.shorter = pair.longer;
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.estimator, Estimator::quotient);
  EXPECT_GE(median(evidence.samples), kDeviceCall);
}

TEST(CudaEvidence, ARunnerWithoutAClaimIsNotDisputed) {
  auto pairs = honest_device_pairs(10);
  for (auto& pair : pairs) pair.longer.claimed = pair.shorter.claimed = 0;
  const auto evidence = weigh_on_device(pairs, kDeviceTrusted, kClock);
  EXPECT_EQ(evidence.claimed, 0);
  EXPECT_NEAR(median(evidence.samples), kDeviceCall, 1e-12);
}

TEST(CudaEvidence, NoPairsGiveNoSamples) {
  EXPECT_TRUE(weigh_on_device({}, kDeviceTrusted, kClock).samples.empty());
}

}  // namespace
}  // namespace ridgeline::judge
