// The wall time of a campaign over all its runs.
#include <gtest/gtest.h>

#include "tests/engine/store/campaign_fixture.hpp"

namespace ridgeline::store {
namespace {

class Runs : public samples::CampaignFixture {
 protected:
  void answer_at(int step, Milliseconds when) {
    auto ask = samples::ask(id, step, 0, nullptr);
    ask.ended_at = when;
    writer().record(std::move(ask), std::nullopt, expect_committed());
    writer().flush();
  }
  double wall() { return reader().totals(campaign.id).wall_seconds; }
};

TEST_F(Runs, AddUp) {
  EXPECT_EQ(wall(), 0);
  const auto first = writer().begin_run(campaign.id, 10'000);
  writer().end_run(first, 12'500, "interrupted", "");
  const auto second = writer().begin_run(campaign.id, 1'000'000);
  writer().end_run(second, 1'001'000, "paused", "budget.total.usd is reached");
  EXPECT_NE(first, second);
  EXPECT_DOUBLE_EQ(wall(), 3.5);
}

TEST_F(Runs, OneThatRunsOrWasKilledCountsUpToItsLastResult) {
  writer().begin_run(campaign.id, 10'000);
  EXPECT_EQ(wall(), 0) << "nothing was done yet";
  answer_at(0, 14'000);
  EXPECT_DOUBLE_EQ(wall(), 4);
  writer().begin_run(campaign.id, 1'000'000);
  EXPECT_DOUBLE_EQ(wall(), 4) << "the time between two runs is nobody's";
  answer_at(1, 1'000'500);
  EXPECT_DOUBLE_EQ(wall(), 4.5);
}

TEST_F(Runs, AClockThatWasSetBackTakesNothingAway) {
  const auto first = writer().begin_run(campaign.id, 10'000);
  writer().end_run(first, 9'000, "finished", "");
  writer().begin_run(campaign.id, 20'000'000'000'000);
  answer_at(0, 11'000);
  EXPECT_EQ(wall(), 0);
}

}  // namespace
}  // namespace ridgeline::store
