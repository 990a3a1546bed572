// Tests that the cost of every call is counted: answers, failed attempts, and calls under way at a kill.
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "engine/store/packed.hpp"
#include "tests/engine/store/campaign_fixture.hpp"

namespace ridgeline::store {
namespace {

class Spending : public samples::CampaignFixture {
 protected:
  void start(int slot, double usd) {
    writer().start_call({id, 0, slot, "generator", {1000, usd}, 5}, expect_committed());
    writer().flush();
  }
  AskRecord answer(int slot) {
    auto ask = samples::ask(id, 0, slot, nullptr);
    ask.usd = 0.25;
    ask.tokens = {.input = 100, .output = 20};
    ask.reserved = true;
    return ask;
  }
  Totals totals() { return reader().totals(campaign.id); }
};

TEST_F(Spending, FailedAttemptsAddToItAndTheirBoundsStandApart) {
  FailedAttemptRecord failed;
  failed.trajectory = id;
  failed.number = 2;
  failed.llm_status = "timed_out";
  failed.detail = "no end of the answer";
  failed.tokens = {.input = 70, .output = 7};
  failed.usd = 0.5;
  failed.unsettled = {900, 0.75};
  failed.raw_response = std::string("half\0an answer", 14);
  writer().record(failed, expect_committed());
  writer().record(answer(0), std::nullopt, expect_committed());
  writer().flush();
  const auto sum = totals();
  EXPECT_EQ(sum.calls, 1);
  EXPECT_EQ(sum.failed_attempts, 1);
  EXPECT_EQ(sum.tokens.input, 170);
  EXPECT_EQ(sum.tokens.output, 27);
  EXPECT_DOUBLE_EQ(sum.usd, 0.75);
  EXPECT_EQ(sum.unsettled.tokens, 900);
  EXPECT_DOUBLE_EQ(sum.unsettled.usd, 0.75);
  const auto kept = reader().failed_attempts(id);
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].raw_response, failed.raw_response);
  EXPECT_EQ(kept[0].detail, failed.detail);
  EXPECT_EQ(reader().failed_expense(id).tokens, 977);
  EXPECT_DOUBLE_EQ(reader().failed_expense(id).usd, 1.25);
}

TEST_F(Spending, ACallUnderWayAtAKillCountsAtItsWorstInTheNextRun) {
  writer().begin_run(campaign.id, 10);
  start(0, 0.5);
  start(1, 0.25);
  start(2, 0.125);
  writer().record(answer(0), std::nullopt, expect_committed());
  writer().end_call(id, 0, 2, expect_committed());
  writer().flush();
  EXPECT_DOUBLE_EQ(totals().unsettled.usd, 0) << "it still runs";
  writer().begin_run(campaign.id, 20);
  EXPECT_DOUBLE_EQ(totals().unsettled.usd, 0.25);
  EXPECT_EQ(totals().unsettled.tokens, 1000);
  ASSERT_EQ(reader().failed_attempts(id).size(), 1u);
  EXPECT_EQ(reader().failed_attempts(id)[0].llm_status, "killed");
  EXPECT_EQ(reader().failed_attempts(id)[0].slot, 1);
  writer().begin_run(campaign.id, 30);
  EXPECT_DOUBLE_EQ(totals().unsettled.usd, 0.25) << "once";
}

TEST_F(Spending, ARunSaysHowItEnded) {
  EXPECT_FALSE(reader().last_run(campaign.id));
  const auto run = writer().begin_run(campaign.id, 10);
  EXPECT_EQ(reader().last_run(campaign.id)->ended_as, "");
  writer().end_run(run, 20, "paused", "the key is refused");
  EXPECT_EQ(reader().last_run(campaign.id)->ended_as, "paused");
  EXPECT_EQ(reader().last_run(campaign.id)->reason, "the key is refused");
}

TEST(Packed, ComesBackAsItWas) {
  std::string stream;
  for (int piece = 0; piece < 2000; ++piece)
    stream +=
        "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,"
        "\"delta\":{\"content\":\"x" +
        std::to_string(piece * 7919 % 1000) + "\"},\"finish_reason\":null}]}\n\n";
  EXPECT_LT(packed(stream).size(), stream.size() / 20) << "envelopes repeat";
  const std::string frame_like("\x28\xB5\x2F\xFD is how a frame begins", 27);
  for (const auto& bytes :
       {std::string(), std::string("x"), std::string("\0\xff\xfe", 3), frame_like, stream})
    EXPECT_EQ(unpacked(packed(bytes)), bytes);
}

TEST(Packed, PlainBytesOfOlderStoresComeBackAndDamageIsSaid) {
  EXPECT_EQ(unpacked("{\"an\":\"old body\"}"), "{\"an\":\"old body\"}");
  auto frame = packed(std::string(10'000, 'a'));
  frame.resize(frame.size() / 2);
  EXPECT_THROW(unpacked(frame), MachineCannot);
}

}  // namespace
}  // namespace ridgeline::store
