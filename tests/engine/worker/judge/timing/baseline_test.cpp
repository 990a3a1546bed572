// What is kept of a native task's baseline when it is looked at again.
#include "engine/worker/judge/timing/baseline.hpp"

#include <gtest/gtest.h>

#include "engine/worker/judge/backends/host_backend.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

class Baseline : public testing::Test {
 protected:
  double look(BusyHostSlows slows) {
    return keep_baseline(prepared_, one_, backend_.sampling(0.06), true, slows);
  }
  /// As if it had been measured in a moment when the host was `times` as slow.
  void was(double times) {
    one_.baseline_confirmed = true;
    for (auto* value : {&one_.baseline->median, &one_.baseline->low, &one_.baseline->high}) *value *= times;
    kept_ = one_.baseline->median;
  }

  HostBackend backend_;
  PreparedTask prepared_{testcase_task("vector_add"), 7, backend_};
  PreparedCase& one_ = *prepared_.cases().front();
  double kept_ = 0;

  void SetUp() override {
    one_.timing_arena = backend_.make_arena(prepared_.task(), one_.definition(), 96);
    look(BusyHostSlows::baseline_alone);
    ASSERT_TRUE(one_.baseline);
    EXPECT_FALSE(one_.baseline_confirmed) << "measured once";
  }
};

TEST_F(Baseline, OfASlowMomentItIsMeasuredAnew) {
  for (const auto slows : {BusyHostSlows::baseline_alone, BusyHostSlows::both}) {
    was(4);
    EXPECT_LT(look(slows), 0.9);
    EXPECT_LT(one_.baseline->median, kept_);
    EXPECT_GT(one_.baseline->samples.size(), 1u);
  }
}

TEST_F(Baseline, WhatABusyHostSlowsAloneStaysAsItWas) {
  was(0.25);
  EXPECT_GT(look(BusyHostSlows::baseline_alone), most_drift);
  EXPECT_EQ(one_.baseline->median, kept_);
  EXPECT_TRUE(one_.baseline_confirmed);
}

TEST_F(Baseline, WhatSlowsBothSidesIsMeasuredAnew) {
  was(0.25);
  EXPECT_GT(look(BusyHostSlows::both), most_drift);
  EXPECT_GT(one_.baseline->median, kept_);
}

TEST(BaselineDrift, IsWantedToBeSmallerWhereABusyHostSlowsItAlone) {
  const auto drifted = [](double drift, BusyHostSlows slows) { return has_drifted(drift, slows); };
  EXPECT_FALSE(drifted(1 / 1.02, BusyHostSlows::baseline_alone));
  EXPECT_TRUE(drifted(1 / 1.05, BusyHostSlows::baseline_alone));
  EXPECT_FALSE(drifted(1.5, BusyHostSlows::baseline_alone));
  EXPECT_FALSE(drifted(1 / 1.05, BusyHostSlows::both));
  EXPECT_TRUE(drifted(1 / 1.2, BusyHostSlows::both));
  EXPECT_TRUE(drifted(1.2, BusyHostSlows::both));
}

TEST(BaselineDrift, OnlyWhatIsQuickerBeyondDoubtReplacesWhatWasKept) {
  const auto of = [](double median) {
    return Duration{.median = median, .low = 0.98 * median, .high = 1.02 * median};
  };
  EXPECT_TRUE(replaces(of(0.9), of(1), BusyHostSlows::baseline_alone));
  EXPECT_FALSE(replaces(of(0.97), of(1), BusyHostSlows::baseline_alone)) << "the intervals meet";
  EXPECT_FALSE(replaces(of(1.2), of(1), BusyHostSlows::baseline_alone));
  EXPECT_TRUE(replaces(of(1.2), of(1), BusyHostSlows::both));
}

TEST_F(Baseline, OnceItIsConfirmedNobodyLooks) {
  was(4);
  EXPECT_EQ(keep_baseline(prepared_, one_, backend_.sampling(0.06), false, BusyHostSlows::both), 1);
  EXPECT_EQ(one_.baseline->median, kept_);
}

}  // namespace
}  // namespace ridgeline::judge
