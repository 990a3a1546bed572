// The order in which requests ended and what was given up, kept and read back.
#include "engine/store/journal.hpp"
#include "tests/engine/store/campaign_fixture.hpp"

namespace ridgeline::store {
namespace {

using samples::CampaignFixture;

EffectEvent event(Id trajectory, int ordinal, EffectEventKind kind, int step, std::string reason = "") {
  EffectEvent one;
  one.trajectory = trajectory;
  one.ordinal = ordinal;
  one.event = kind;
  one.step = step;
  one.reason = std::move(reason);
  one.at = 7;
  return one;
}

/// Two requests of one trajectory: the first ended, and the second was broken off.
class EffectEvents : public CampaignFixture {
 protected:
  EffectEvents() {
    const auto first = samples::candidate(1, {});
    writer().record(samples::ask(id, 0, 0, &first), first, expect_committed());
    writer().record(event(id, 0, EffectEventKind::ended, 0), expect_committed());
    writer().record(event(id, 1, EffectEventKind::cancelled, 1, "enough"), expect_committed());
    auto broken_off = samples::ask(id, 1, 0, nullptr);
    broken_off.status = AnswerStatus::cancelled;
    broken_off.llm_status = "cancelled";
    broken_off.detail = "enough";
    broken_off.unsettled = {100, 0.25};
    writer().record(broken_off, std::nullopt, expect_committed());
    writer().flush();
  }

  TrajectoryRecord branch(int steps, int events) {
    auto copy = samples::trajectory(task, 9);
    copy.origin = id;
    copy.kept_steps = steps;
    copy.kept_events = events;
    std::vector copies{copy};
    writer().add(campaign.id, {}, copies);
    return copies.front();
  }
};

TEST_F(EffectEvents, AreReadInTheirOrder) {
  const auto events = load_effect_events(reader(), id);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].event, EffectEventKind::ended);
  EXPECT_EQ(events[1].event, EffectEventKind::cancelled);
  EXPECT_EQ(events[1].step, 1);
  EXPECT_EQ(events[1].reason, "enough");
  EXPECT_EQ(events[1].at, 7);
}

TEST_F(EffectEvents, OfOneOrdinalThereIsOne) {
  std::exception_ptr refused;
  writer().record(event(id, 1, EffectEventKind::ended, 0),
                  [&](std::exception_ptr error) { refused = error; });
  writer().flush();
  EXPECT_NE(refused, nullptr);
}

TEST_F(EffectEvents, MarkTheAttemptsThatWereGivenUp) {
  const auto attempts = reader().attempts(id);
  ASSERT_EQ(attempts.size(), 2u);
  EXPECT_FALSE(attempts[0].cancelled);
  EXPECT_TRUE(attempts[1].cancelled);
  EXPECT_EQ(attempts[1].cancelled_because, "enough");
}

TEST_F(EffectEvents, ABrokenOffCallCountsAndOneThatWasNeverSentDoesNot) {
  auto never_sent = samples::ask(id, 2, 0, nullptr);
  never_sent.status = AnswerStatus::cancelled;
  never_sent.llm_status = "";
  writer().record(never_sent, std::nullopt, expect_committed());
  writer().flush();
  const auto totals = reader().totals(campaign.id);
  EXPECT_EQ(totals.calls, 2);
  EXPECT_DOUBLE_EQ(totals.unsettled.usd, 0.25);
}

TEST_F(EffectEvents, ABranchCopiesThoseThatItKeeps) {
  const auto whole = branch(2, 2);
  EXPECT_EQ(load_effect_events(reader(), whole.id).size(), 2u);
  EXPECT_EQ(reader().attempts(whole.id).size(), 2u);
}

TEST_F(EffectEvents, ABranchThatDropsACancellationMayStillWantTheRequest) {
  const auto part = branch(2, 1);
  EXPECT_EQ(load_effect_events(reader(), part.id).size(), 1u);
  const auto attempts = reader().attempts(part.id);
  ASSERT_EQ(attempts.size(), 1u) << "the broken off call is asked again";
  EXPECT_EQ(attempts[0].ask.step, 0);
}

}  // namespace
}  // namespace ridgeline::store
