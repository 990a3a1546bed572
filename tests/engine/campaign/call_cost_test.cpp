// Tests what a call reserves and what a plan says that a campaign may cost: both pay half for batches.
#include <gtest/gtest.h>

#include "engine/campaign/call_cost.hpp"
#include "engine/core/error.hpp"
#include "tests/engine/campaign/campaign_runs.hpp"

namespace ridgeline::campaign {
namespace {

TEST(Reservation, InABatchIsHalfThePriceForTheSameTokens) {
  llm::Model entry;
  entry.prices = {.input = 4, .cached_input = 1, .cache_write = 5, .output = 20};
  const llm::LlmRequest request{.messages = {{"user", std::string(1000, 'x')}}};
  const auto alone = reservation_of(entry, request);
  entry.batch = true;
  const auto batched = reservation_of(entry, request);
  EXPECT_GT(alone.usd, 16384 * 20 / 1e6);
  EXPECT_DOUBLE_EQ(batched.usd, alone.usd / 2);
  EXPECT_EQ(batched.tokens, alone.tokens);
}

using PlanPrice = CampaignRuns;

TEST_F(PlanPrice, InABatchIsHalfTheListPrice) {
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
