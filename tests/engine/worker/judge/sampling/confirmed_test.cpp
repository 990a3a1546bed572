// Samples that are taken once more where clocks contradict each other, or other work ran beside.
#include "engine/worker/judge/sampling/confirmed.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "fake_calls.hpp"

namespace ridgeline::judge {
namespace {

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
