// Invented times: what the score is, and what is held against a runner.
#include "engine/worker/judge/sampling/batch_evidence.hpp"

#include <gtest/gtest.h>

#include "engine/core/statistics.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kOverhead = 20e-6;
constexpr Overhead kTrusted{.wall = kOverhead};
constexpr double kCall = 30e-6;
constexpr std::size_t kCalls = 10;

BatchTimes honest(std::size_t calls) {
  const double work = static_cast<double>(calls) * kCall;
  return {.wall = kOverhead + work, .cpu = work + 3e-6, .outside_cpu = 8e-6, .claimed = work};
}

std::vector<BatchPair> honest_pairs(int count) {
  return std::vector<BatchPair>(count, BatchPair{2 * kCalls, kCalls, honest(2 * kCalls), honest(kCalls)});
}

TEST(BatchEvidence, SlopesAreFreeOfOverhead) {
  const auto evidence = weigh(honest_pairs(10), {.wall = 25e-6});
  EXPECT_EQ(evidence.estimator, Estimator::slope);
  EXPECT_EQ(evidence.clock, Clock::wall);
  EXPECT_EQ(evidence.dispute, Dispute::none);
  EXPECT_NEAR(median(evidence.samples), kCall, 1e-12);
  EXPECT_NEAR(evidence.claimed, kCall, 1e-12);
}

TEST(BatchEvidence, PaddedShortBatchesGainNothing) {
  auto pairs = honest_pairs(10);
  for (auto& pair : pairs) {
    pair.shorter.wall = pair.longer.wall;
    pair.shorter.cpu = pair.longer.cpu;
  }
  const auto evidence = weigh(pairs, kTrusted);
  EXPECT_EQ(evidence.estimator, Estimator::quotient);
  EXPECT_GE(median(evidence.samples), kCall);
}

TEST(BatchEvidence, WorkMovedFromLongBatchesIntoShortOnesGainsNothing) {
  auto pairs = honest_pairs(10);
  for (auto& pair : pairs) {
    pair.shorter.wall += pair.longer.wall - kOverhead;
    pair.shorter.cpu += pair.longer.cpu;
    pair.shorter.claimed += pair.longer.claimed;
    pair.longer = {.wall = kOverhead, .cpu = kOverhead / 2, .outside_cpu = 0, .claimed = kOverhead / 2};
  }
  const auto evidence = weigh(pairs, kTrusted);
  EXPECT_EQ(evidence.estimator, Estimator::quotient);
  EXPECT_NEAR(median(evidence.samples), kCall, 1e-12);
}

TEST(BatchEvidence, AnOverestimatedOverheadNeverShortensACall) {
  const auto evidence = weigh(honest_pairs(10), {.wall = 40e-6});
  EXPECT_NEAR(median(evidence.samples), kCall, 1e-12);
}

TEST(BatchEvidence, PreemptedPairsAreSetAside) {
  auto pairs = honest_pairs(20);
  for (std::size_t i = 0; i < pairs.size(); i += 2) pairs[i].longer.wall += 4e-3;
  const auto evidence = weigh(pairs, kTrusted);
  EXPECT_EQ(evidence.set_aside, 10u);
  EXPECT_EQ(evidence.clock, Clock::wall);
  EXPECT_NEAR(median(evidence.samples), kCall, 1e-12);
}

TEST(BatchEvidence, CpuTimeIsTheClockIfAllPairsAreDisturbed) {
  auto pairs = honest_pairs(20);
  for (auto& pair : pairs) {
    pair.longer.wall += 4e-3;
    pair.shorter.wall += 3e-3;
  }
  const auto evidence = weigh(pairs, kTrusted);
  EXPECT_EQ(evidence.clock, Clock::cpu);
  EXPECT_EQ(evidence.dispute, Dispute::none);
  EXPECT_NEAR(median(evidence.samples), kCall, 1e-9);
}

TEST(BatchEvidence, WorkOutsideTheWindowIsDisputedOnABusyMachineToo) {
  for (const double preemption : {0.0, 5e-3}) {
    auto pairs = honest_pairs(10);
    for (auto& pair : pairs) {
      pair.longer = {
          .wall = 25e-6 + preemption, .cpu = 10e-6, .outside_cpu = 2 * kCalls * kCall, .claimed = 9e-6};
      pair.shorter.wall += preemption;
    }
    EXPECT_EQ(weigh(pairs, kTrusted).dispute, Dispute::outside_window);
  }
}

TEST(BatchEvidence, WorkOutsideTheWindowIsChargedEvenIfTooRareToDispute) {
  auto pairs = honest_pairs(20);
  pairs[3].longer = {.wall = 25e-6, .cpu = 5e-6, .outside_cpu = 3 * kCalls * kCall, .claimed = 5e-6};
  pairs[3].shorter = {.wall = 25e-6, .cpu = 5e-6, .outside_cpu = 0, .claimed = 5e-6};
  const auto evidence = weigh(pairs, kTrusted);
  EXPECT_EQ(evidence.dispute, Dispute::none);
  EXPECT_GE(quotient(pairs[3], Clock::wall, kTrusted), kCall);
}

TEST(BatchEvidence, WorkOutsideTheWindowInAFifthOfThePairsIsDisputed) {
  auto pairs = honest_pairs(10);
  for (std::size_t i = 0; i < 3; ++i)
    pairs[i].longer = {.wall = 25e-6, .cpu = 5e-6, .outside_cpu = 3 * kCalls * kCall, .claimed = 5e-6};
  EXPECT_EQ(weigh(pairs, kTrusted).dispute, Dispute::outside_window);
}

TEST(BatchEvidence, AClaimFarBelowTheCpuTimeIsDisputed) {
  auto pairs = honest_pairs(10);
  for (auto& pair : pairs) pair.longer.claimed = pair.shorter.claimed = 1e-6;
  const auto evidence = weigh(pairs, kTrusted);
  EXPECT_EQ(evidence.dispute, Dispute::claim_undercuts);
  EXPECT_FALSE(evidence.detail.empty());
}

TEST(BatchEvidence, OccasionalLateReadingsOfTheJudgeAreNotDisputed) {
  auto pairs = honest_pairs(10);
  for (std::size_t i = 0; i < 4; ++i) {
    pairs[i].longer.wall += 900e-6;
    pairs[i].longer.cpu += 900e-6;
  }
  EXPECT_EQ(weigh(pairs, kTrusted).dispute, Dispute::none);
}

TEST(BatchEvidence, WakingTheJudgeIsNotCountedAsHiddenWork) {
  auto pairs = honest_pairs(10);  // on a virtual machine whose wake-ups cost 400 µs
  for (auto& pair : pairs) {
    pair.longer.cpu += 400e-6;
    pair.shorter.cpu += 400e-6;
  }
  EXPECT_EQ(weigh(pairs, kTrusted).dispute, Dispute::claim_undercuts);
  EXPECT_EQ(weigh(pairs, {.wall = kOverhead, .cpu = 400e-6}).dispute, Dispute::none);
}

TEST(BatchEvidence, AClaimAboveTheCpuTimeIsNotDisputed) {
  auto pairs = honest_pairs(10);
  for (auto& pair : pairs) pair.longer.claimed *= 3;  // a preempted runner counts the wait
  EXPECT_EQ(weigh(pairs, kTrusted).dispute, Dispute::none);
}

TEST(BatchEvidence, AnOrdinaryTimeHasNoRemark) {
  EXPECT_TRUE(remarks_on(weigh(honest_pairs(10), kTrusted)).empty());
}

TEST(BatchEvidence, RemarksNameTheClockAndTheEstimator) {
  auto pairs = honest_pairs(20);
  for (auto& pair : pairs) pair.longer.wall += 4e-3;
  EXPECT_EQ(remarks_on(weigh(pairs, kTrusted)),
            std::vector<std::string>{"timed by CPU time, since other programs disturbed 20 of 20 samples"});
  pairs = honest_pairs(10);
  for (auto& pair : pairs) {
    pair.shorter.wall = pair.longer.wall;
    pair.shorter.cpu = pair.longer.cpu;
  }
  EXPECT_EQ(
      remarks_on(weigh(pairs, kTrusted)),
      std::vector<std::string>{"timed by whole batches, since calls in short ones cost more: their slope "
                               "is 0.00 of it"});
}

TEST(BatchEvidence, AQuotientFarFromTheSlopeHasARemark) {
  const auto with_dearer_short_batches = [](double share) {
    auto pairs = honest_pairs(10);
    for (auto& pair : pairs) {
      pair.shorter.wall += share * kCalls * kCall;
      pair.shorter.cpu += share * kCalls * kCall;
    }
    return weigh(pairs, kTrusted);
  };
  // With x of a short batch's calls in surplus, slope over quotient is 3 (1 - x) / (3 + x).
  const auto far = with_dearer_short_batches(0.117);
  EXPECT_EQ(far.estimator, Estimator::quotient);
  EXPECT_EQ(remarks_on(far), std::vector<std::string>{
                                 "timed by whole batches, since calls in short ones cost more: their slope "
                                 "is 0.85 of it"});
  const auto near = with_dearer_short_batches(0.053);
  EXPECT_EQ(near.estimator, Estimator::quotient);
  EXPECT_NEAR(near.agreement, 0.93, 0.005);
  EXPECT_TRUE(remarks_on(near).empty());
}

TEST(BatchEvidence, NoPairsGiveNoSamples) {
  EXPECT_TRUE(weigh({}, kTrusted).samples.empty());
}

}  // namespace
}  // namespace ridgeline::judge
