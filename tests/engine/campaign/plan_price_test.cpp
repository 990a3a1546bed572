// What a plan says that a campaign may cost, before anything is asked.
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "tests/engine/campaign/campaign_runs.hpp"

namespace ridgeline::campaign {
namespace {

using PlanPrice = CampaignRuns;

TEST_F(PlanPrice, OfABatchIsHalfTheListPrice) {
  config_.models[0].prices.output = 20;
  const auto alone = make_plan(config_, {{a_task()}, {}});
  config_.models[0].batch = true;
  const auto batched = make_plan(config_, {{a_task()}, {}});
  ASSERT_TRUE(alone.bound.usd && batched.bound.usd);
  EXPECT_GT(*alone.bound.usd, 0);
  EXPECT_DOUBLE_EQ(*batched.bound.usd, *alone.bound.usd / 2);
}

TEST_F(PlanPrice, ACapThatABatchFitsIsNotRefused) {
  config_.models[0].prices.output = 20;
  config_.total.usd = 0.75 * 16384 * 20 / 1e6;  // less than one call's longest output at the list price
  EXPECT_THROW(make_plan(config_, {{a_task()}, {}}), BadInput);
  config_.models[0].batch = true;
  EXPECT_NO_THROW(make_plan(config_, {{a_task()}, {}}));
}

}  // namespace
}  // namespace ridgeline::campaign
