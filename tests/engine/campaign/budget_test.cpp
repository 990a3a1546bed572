#include "engine/campaign/budget.hpp"

#include <gtest/gtest.h>

namespace ridgeline::campaign {
namespace {

TEST(BudgetMeter, CountsCallsWhenAdmittedSoThatABurstCannotOvershoot) {
  Budget budget;
  budget.calls = 2;
  BudgetMeter meter(budget);
  EXPECT_EQ(meter.admit_call(0), "");
  EXPECT_EQ(meter.admit_call(0), "");
  EXPECT_EQ(meter.admit_call(0), "the budget of 2 calls is spent");
  meter.give_back_call();
  EXPECT_EQ(meter.admit_call(0), "");
}

TEST(BudgetMeter, RefusesCallsOnceTokensOrMoneyAreSpentButStillEvaluatesWhatWasPaidFor) {
  Budget budget;
  budget.tokens = 100;
  budget.usd = 1;
  BudgetMeter meter(budget);
  EXPECT_EQ(meter.admit_call(0), "");
  meter.spend(100, 0.1);
  EXPECT_EQ(meter.admit_call(0), "the budget of 100 tokens is spent");
  EXPECT_EQ(meter.admit_evaluation(0), "");
}

TEST(BudgetMeter, CountsWhatAnEarlierRunSpent) {
  Budget budget;
  budget.evaluations = 3;
  budget.wall_seconds = 10;
  BudgetMeter meter(budget);
  meter.restore({5, 2, 50, 0.5});
  EXPECT_EQ(meter.admit_evaluation(0), "");
  EXPECT_EQ(meter.admit_evaluation(0), "the budget of 3 evaluations is spent");
  EXPECT_EQ(meter.admit_call(10), "the budget of 10 s of wall time is spent");
}

TEST(BudgetMeter, WhatTheCampaignRefusesIsNotCountedAgainstTheTrajectory) {
  Budget ample, one;
  ample.calls = ample.evaluations = 2;
  one.calls = one.evaluations = 1;
  BudgetMeter trajectory(ample), campaign(one);
  EXPECT_EQ(admit_call(trajectory, campaign, 0), "");
  EXPECT_EQ(admit_call(trajectory, campaign, 0), "campaign: the budget of 1 calls is spent");
  EXPECT_EQ(admit_evaluation(trajectory, campaign, 0), "");
  EXPECT_EQ(admit_evaluation(trajectory, campaign, 0), "campaign: the budget of 1 evaluations is spent");
  EXPECT_EQ(trajectory.spent().calls, 1);
  EXPECT_EQ(trajectory.spent().evaluations, 1);
}

TEST(BudgetMeter, WhatTheTrajectoryRefusesIsNotCountedAgainstTheCampaign) {
  Budget one;
  one.calls = one.evaluations = 1;
  BudgetMeter trajectory(one), campaign{Budget{}};
  EXPECT_EQ(admit_call(trajectory, campaign, 0), "");
  EXPECT_EQ(admit_call(trajectory, campaign, 0), "trajectory: the budget of 1 calls is spent");
  EXPECT_EQ(admit_evaluation(trajectory, campaign, 0), "");
  EXPECT_EQ(admit_evaluation(trajectory, campaign, 0), "trajectory: the budget of 1 evaluations is spent");
  EXPECT_EQ(campaign.spent().calls, 1);
  EXPECT_EQ(campaign.spent().evaluations, 1);
}

}  // namespace
}  // namespace ridgeline::campaign
