#include "engine/campaign/budget.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ridgeline::campaign {
namespace {

bool admitted(const Admission& admission) {
  return std::holds_alternative<Admitted>(admission);
}
bool waits(const Admission& admission) {
  return std::holds_alternative<WaitForSettlement>(admission);
}
std::string refusal(const Admission& admission) {
  const auto* refused = std::get_if<Refused>(&admission);
  return refused ? refused->reason : "";
}

TEST(BudgetMeter, CountsCallsWhenAdmittedSoThatABurstCannotOvershoot) {
  Budget budget;
  budget.calls = 2;
  BudgetMeter meter(budget);
  EXPECT_TRUE(admitted(meter.admit_call({}, 0)));
  EXPECT_TRUE(admitted(meter.admit_call({}, 0)));
  EXPECT_EQ(refusal(meter.admit_call({}, 0)), "the budget of 2 calls is spent");
  meter.drop_call({});
  EXPECT_TRUE(admitted(meter.admit_call({}, 0)));
}

TEST(BudgetMeter, ReservesTheWorstOfACallAndRefusesWhatWouldNotFitAlone) {
  Budget budget;
  budget.usd = 1;
  BudgetMeter meter(budget);
  const llm::Cost worst{1000, 0.6};
  EXPECT_TRUE(admitted(meter.admit_call(worst, 0)));
  EXPECT_TRUE(waits(meter.admit_call(worst, 0))) << "the first may come to less";
  meter.settle_call(worst, {100, 0.1});
  EXPECT_TRUE(admitted(meter.admit_call(worst, 0)));
  meter.settle_call(worst, {900, 0.5});
  EXPECT_EQ(refusal(meter.admit_call(worst, 0)),
            "of the budget of 1.00 USD 0.4000 are left, and the next call may cost 0.6000");
  EXPECT_TRUE(admitted(meter.admit_call({10, 0.4}, 0)));
}

TEST(BudgetMeter, StillEvaluatesWhatWasPaidFor) {
  Budget budget;
  budget.tokens = 100;
  BudgetMeter meter(budget);
  EXPECT_TRUE(admitted(meter.admit_call({100, 0}, 0)));
  meter.settle_call({100, 0}, {100, 0});
  EXPECT_EQ(refusal(meter.admit_call({1, 0}, 0)),
            "of the budget of 100 tokens 0 are left, and the next call may take 1");
  EXPECT_TRUE(admitted(meter.admit_evaluation(0)));
}

TEST(BudgetMeter, ChargesFailedAttemptsAndSaysWhetherAnotherFits) {
  Budget budget;
  budget.usd = 1;
  BudgetMeter meter(budget);
  const llm::Cost worst{0, 0.4};
  EXPECT_TRUE(admitted(meter.admit_call(worst, 0)));
  EXPECT_TRUE(meter.charge_attempt({0, 0.4})) << "0.4 spent and 0.4 reserved";
  EXPECT_FALSE(meter.charge_attempt({0, 0.4})) << "0.8 spent and 0.4 reserved";
  meter.drop_call(worst);
  EXPECT_DOUBLE_EQ(meter.spent().usd, 0.8);
  EXPECT_EQ(meter.spent().calls, 0);
}

TEST(BudgetMeter, NoOrderOfCallsAndFailuresExceedsACap) {
  std::mt19937_64 random(1);
  const auto up_to = [&](double most) { return std::uniform_real_distribution<>(0, most)(random); };
  for (int trial = 0; trial < 200; ++trial) {
    Budget budget;
    budget.usd = up_to(5);
    BudgetMeter meter(budget);
    std::vector<llm::Cost> under_way;
    double paid = 0;
    for (int event = 0; event < 300; ++event) {
      const llm::Cost worst{0, up_to(0.5)};
      if (up_to(1) < 0.5 && admitted(meter.admit_call(worst, 0))) {
        under_way.push_back(worst);
      } else if (!under_way.empty()) {
        const auto call = under_way.back();
        const double cost = up_to(call.usd);  // a provider bills at most the worst, for each attempt
        paid += cost;
        if (up_to(1) < 0.3) {
          if (meter.charge_attempt({0, cost})) continue;
          meter.drop_call(call);
        } else {
          meter.settle_call(call, {0, cost});
        }
        under_way.pop_back();
      }
      EXPECT_LE(paid, *budget.usd + 1e-6);
    }
  }
}

TEST(BudgetMeter, CountsWhatAnEarlierRunSpent) {
  Budget budget;
  budget.evaluations = 3;
  budget.wall_seconds = 10;
  BudgetMeter meter(budget);
  meter.restore({5, 2, 50, 0.5});
  EXPECT_TRUE(admitted(meter.admit_evaluation(0)));
  EXPECT_EQ(refusal(meter.admit_evaluation(0)), "the budget of 3 evaluations is spent");
  EXPECT_EQ(refusal(meter.admit_call({}, 10)), "the budget of 10 s of wall time is spent");
}

TEST(BudgetMeter, WhatTheCampaignRefusesIsNotCountedAgainstTheTrajectory) {
  Budget ample, one;
  ample.calls = ample.evaluations = 2;
  one.calls = one.evaluations = 1;
  BudgetMeter trajectory(ample), campaign(one);
  EXPECT_TRUE(std::holds_alternative<Admitted>(admit_call(trajectory, campaign, {}, 0)));
  const auto refused = admit_call(trajectory, campaign, {}, 0);
  ASSERT_TRUE(std::holds_alternative<RefusedByCampaign>(refused));
  EXPECT_EQ(std::get<RefusedByCampaign>(refused).reason, "campaign: the budget of 1 calls is spent");
  EXPECT_EQ(std::get<RefusedByCampaign>(refused).key, "calls");
  EXPECT_TRUE(std::holds_alternative<Admitted>(admit_evaluation(trajectory, campaign, 0)));
  EXPECT_TRUE(std::holds_alternative<RefusedByCampaign>(admit_evaluation(trajectory, campaign, 0)));
  EXPECT_EQ(trajectory.spent().calls, 1);
  EXPECT_EQ(trajectory.spent().evaluations, 1);
}

TEST(BudgetMeter, WhatTheTrajectoryRefusesIsNotCountedAgainstTheCampaign) {
  Budget one;
  one.calls = one.evaluations = 1;
  BudgetMeter trajectory(one), campaign{Budget{}};
  EXPECT_TRUE(std::holds_alternative<Admitted>(admit_call(trajectory, campaign, {}, 0)));
  const auto refused = admit_call(trajectory, campaign, {}, 0);
  ASSERT_TRUE(std::holds_alternative<RefusedByTrajectory>(refused));
  EXPECT_EQ(std::get<RefusedByTrajectory>(refused).reason, "trajectory: the budget of 1 calls is spent");
  EXPECT_EQ(campaign.spent().calls, 1);
}

}  // namespace
}  // namespace ridgeline::campaign
