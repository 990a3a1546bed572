// Which baseline of a native task is kept when it is checked.
#include "engine/worker/judge/timing/baseline.hpp"

#include <gtest/gtest.h>

#include "engine/worker/judge/backends/host_backend.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

class Baseline : public testing::Test {
 protected:
  double check(BusyHostSlows slows) {
    return keep_baseline(prepared_, case_, backend_.sampling(0.06), true, slows);
  }
  /// Makes the kept baseline look as if it was measured on a host that was `times` as slow.
  void set_kept(double times) {
    case_.baseline_confirmed = true;
    for (auto* value : {&case_.baseline->median, &case_.baseline->low, &case_.baseline->high})
      *value *= times;
    kept_ = case_.baseline->median;
  }

  HostBackend backend_;
  PreparedTask prepared_{testcase_task("vector_add"), 7, backend_};
  PreparedCase& case_ = *prepared_.cases().front();
  double kept_ = 0;

  void SetUp() override {
    case_.timing_arena = backend_.make_arena(prepared_.task(), case_.definition(), 96);
    check(BusyHostSlows::baseline_alone);
    ASSERT_TRUE(case_.baseline);
    EXPECT_FALSE(case_.baseline_confirmed) << "measured once";
    EXPECT_EQ(case_.reference_seconds, case_.baseline->median);
  }
};

TEST_F(Baseline, IsMeasuredAnewIfItWasMeasuredOnASlowHost) {
  for (const auto slows : {BusyHostSlows::baseline_alone, BusyHostSlows::both}) {
    set_kept(4);
    EXPECT_LT(check(slows), 0.9);
    EXPECT_LT(case_.baseline->median, kept_);
    EXPECT_GT(case_.baseline->samples.size(), 1u);
    EXPECT_EQ(case_.reference_seconds, case_.baseline->median);
    EXPECT_FALSE(case_.baseline_confirmed) << "measured once";
  }
}

TEST_F(Baseline, StaysIfItIsSlowerNowAndABusyHostSlowsItAlone) {
  set_kept(0.25);
  EXPECT_GT(check(BusyHostSlows::baseline_alone), most_drift);
  EXPECT_EQ(case_.baseline->median, kept_);
  EXPECT_TRUE(case_.baseline_confirmed);
  EXPECT_NE(case_.reference_seconds, kept_) << "a check alone changes no limit";
}

TEST_F(Baseline, IsMeasuredAnewIfItIsSlowerNowAndABusyHostSlowsBothSides) {
  set_kept(0.25);
  EXPECT_GT(check(BusyHostSlows::both), most_drift);
  EXPECT_GT(case_.baseline->median, kept_);
}

TEST(BaselineDrift, CountsFromThreePercentFasterIfABusyHostSlowsTheBaselineAloneAndFrom15PercentElse) {
  const auto drifted = [](double drift, BusyHostSlows slows) { return has_drifted(drift, slows); };
  EXPECT_FALSE(drifted(1 / 1.02, BusyHostSlows::baseline_alone));
  EXPECT_TRUE(drifted(1 / 1.05, BusyHostSlows::baseline_alone));
  EXPECT_FALSE(drifted(1.5, BusyHostSlows::baseline_alone));
  EXPECT_FALSE(drifted(1 / 1.05, BusyHostSlows::both));
  EXPECT_TRUE(drifted(1 / 1.2, BusyHostSlows::both));
  EXPECT_TRUE(drifted(1.2, BusyHostSlows::both));
}

TEST(BaselineDrift, ReplacesTheKeptBaselineOnlyIfFasterBeyondDoubtWhenTheHostSlowsItAlone) {
  const auto of = [](double median) {
    return Duration{.median = median, .low = 0.98 * median, .high = 1.02 * median};
  };
  EXPECT_TRUE(replaces(of(0.9), of(1), BusyHostSlows::baseline_alone));
  EXPECT_FALSE(replaces(of(0.97), of(1), BusyHostSlows::baseline_alone)) << "the intervals meet";
  EXPECT_FALSE(replaces(of(1.2), of(1), BusyHostSlows::baseline_alone));
  EXPECT_TRUE(replaces(of(1.2), of(1), BusyHostSlows::both));
}

TEST_F(Baseline, IsNotCheckedOnceItIsConfirmed) {
  set_kept(4);
  EXPECT_EQ(keep_baseline(prepared_, case_, backend_.sampling(0.06), false, BusyHostSlows::both), 1);
  EXPECT_EQ(case_.baseline->median, kept_);
}

}  // namespace
}  // namespace ridgeline::judge
