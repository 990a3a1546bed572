// Which baseline of a native task is kept when it is checked.
#include "engine/worker/judge/timing/baseline.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "engine/worker/judge/backends/host_backend.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

class Baseline : public testing::Test {
 protected:
  double check(BusyHostSlows slows) {
    return keep_baseline(prepared_, case_, backend_.clocks().sampling(0.06), true, slows);
  }
  /// Makes the kept baseline look as if it was measured on a host that was `times` as slow.
  void set_kept(double times) {
    auto slowed = *case_.baseline().kept();
    for (auto* value : {&slowed.median, &slowed.low, &slowed.high}) *value *= times;
    kept_ = slowed.median;
    case_.baseline().rounds_ended(std::move(slowed));
    case_.baseline().check_ended(1, BusyHostSlows::both);
  }

  HostBackend backend_;
  PreparedTask prepared_{testcase_task("vector_add"), 7, backend_};
  PreparedCase& case_ = *prepared_.cases().front();
  double kept_ = 0;

  void SetUp() override {
    case_.timing_arena = backend_.memory().make_arena(prepared_.task(), case_.definition(), 96);
    check(BusyHostSlows::baseline_alone);
    ASSERT_TRUE(case_.baseline().kept());
    EXPECT_FALSE(case_.baseline().confirmed()) << "measured once";
    EXPECT_EQ(case_.baseline().reference_seconds(), case_.baseline().kept()->median);
  }
};

TEST_F(Baseline, IsMeasuredAnewIfItWasMeasuredOnASlowHost) {
  for (const auto slows : {BusyHostSlows::baseline_alone, BusyHostSlows::both}) {
    set_kept(4);
    EXPECT_LT(check(slows), 0.9);
    EXPECT_LT(case_.baseline().kept()->median, kept_);
    EXPECT_GT(case_.baseline().kept()->samples.size(), 1u);
    EXPECT_EQ(case_.baseline().reference_seconds(), case_.baseline().kept()->median);
    EXPECT_FALSE(case_.baseline().confirmed()) << "measured once";
  }
}

TEST_F(Baseline, StaysIfItIsSlowerNowAndABusyHostSlowsItAlone) {
  set_kept(0.25);
  EXPECT_GT(check(BusyHostSlows::baseline_alone), most_drift);
  EXPECT_EQ(case_.baseline().kept()->median, kept_);
  EXPECT_TRUE(case_.baseline().confirmed());
  EXPECT_EQ(case_.baseline().reference_seconds(), kept_) << "a check alone changes no limit";
}

TEST_F(Baseline, IsMeasuredAnewIfItIsSlowerNowAndABusyHostSlowsBothSides) {
  set_kept(0.25);
  EXPECT_GT(check(BusyHostSlows::both), most_drift);
  EXPECT_GT(case_.baseline().kept()->median, kept_);
}

TEST_F(Baseline, IsNotCheckedOnceItIsConfirmed) {
  set_kept(4);
  EXPECT_EQ(keep_baseline(prepared_, case_, backend_.clocks().sampling(0.06), false, BusyHostSlows::both), 1);
  EXPECT_EQ(case_.baseline().kept()->median, kept_);
}

}  // namespace
}  // namespace ridgeline::judge
