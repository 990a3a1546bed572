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
  meter.restore({5, 2, 50, 0.5, 4});
  EXPECT_EQ(meter.admit_evaluation(0), "");
  EXPECT_EQ(meter.admit_evaluation(0), "the budget of 3 evaluations is spent");
  EXPECT_EQ(meter.admit_call(6), "the budget of 10 s of wall time is spent");
}

}  // namespace
}  // namespace ridgeline::campaign
