// Batches that are refused, endpoints that are out, and the end of sending.
#include "llm_clients/batch_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "llm_clients/prices.hpp"
#include "tests/llm_clients/batch_rig.hpp"

namespace ridgeline::llm {
namespace {

using nlohmann::json;
using test::BatchRig;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::ThrowsMessage;

const std::string kRoot = "https://api.example/v1";

TEST(BatchFailures, FailsTheBadRequestOfARefusedBatchAndResendsTheOthers) {
  BatchRig rig;
  rig.ask("0");
  rig.ask("1");
  rig.create();
  rig.pass(5);
  const auto bad_line = json::parse(R"({"id":"batch_1","status":"failed",
                                        "errors":{"data":[{"code":"invalid","message":"odd","line":2}]}})");
  const auto second = rig.records().at(0).custom_ids.at(1);
  rig.say(bad_line.dump());
  ASSERT_THAT(rig.results.all, SizeIs(1));
  EXPECT_EQ(rig.results.all[0].status, LlmStatus::bad_request);
  EXPECT_THAT(rig.records(), IsEmpty());
  rig.pass(2);
  EXPECT_EQ(rig.url(), kRoot + "/files");
  EXPECT_THAT(rig.last().request.body, Not(HasSubstr(second)));
}

TEST(BatchFailures, ResendsABatchLaterIfTooMuchIsQueued) {
  BatchRig rig;
  rig.ask("0");
  rig.create();
  rig.pass(5);
  const auto limit = json::parse(R"({"id":"batch_1","status":"failed",
                                     "errors":{"data":[{"code":"token_limit_exceeded","message":"full"}]}})");
  rig.say(limit.dump());
  EXPECT_THAT(rig.results.all, IsEmpty());
  ASSERT_THAT(rig.news, SizeIs(1));
  EXPECT_TRUE(rig.news[0].waiting);
  rig.pass(2);
  EXPECT_EQ(rig.url(), kRoot + "/files");
  rig.create("batch_2");
  rig.end_with(rig.answered("0", "zero"), "batch_2");
  EXPECT_THAT(rig.results.all, SizeIs(1));
}

TEST(BatchFailures, BlamesTheAccountForABatchThatIsWrongAsAWhole) {
  BatchRig rig;
  rig.ask("0");
  rig.create();
  rig.pass(5);
  const auto wrong = json::parse(R"({"id":"batch_1","status":"failed",
                                     "errors":{"data":[{"code":"model_not_found","message":"no such"}]}})");
  rig.say(wrong.dump());
  ASSERT_THAT(rig.results.all, SizeIs(1));
  EXPECT_EQ(rig.results.all[0].fault, Fault::account);
  EXPECT_THAT(rig.results.all[0].detail, HasSubstr("no such"));
}

TEST(BatchFailures, BlamesTheAccountForARefusedKey) {
  BatchRig rig;
  rig.ask("0");
  rig.pass(2);
  rig.say(401, R"({"error":{"message":"bad key sk-0123456789abcdef"}})");
  ASSERT_THAT(rig.results.all, SizeIs(1));
  EXPECT_EQ(rig.results.all[0].status, LlmStatus::unauthorized);
  EXPECT_EQ(rig.results.all[0].fault, Fault::account);
  EXPECT_THAT(rig.results.all[0].detail, AllOf(HasSubstr("bad key"), Not(HasSubstr("0123456789"))));
  rig.ask("0");
  rig.create();
  EXPECT_EQ(rig.url(), kRoot + "/batches") << "asked again, it is sent anew";
}

TEST(BatchFailures, WaitsForAFailingEndpointAndReportsIt) {
  BatchRig rig;
  rig.model.patience.seconds = 3600;
  rig.ask("0");
  rig.create();
  rig.pass(5);
  rig.say(503, "");
  ASSERT_THAT(rig.news, SizeIs(1));
  EXPECT_TRUE(rig.news[0].waiting);
  EXPECT_EQ(rig.news[0].host, "api.example");
  EXPECT_EQ(rig.news[0].why, "503");
  rig.pass(1);
  rig.say(rig.state("batch_1"));
  ASSERT_THAT(rig.news, SizeIs(2));
  EXPECT_FALSE(rig.news[1].waiting);
  rig.end_with(rig.answered("0", "zero"));
  EXPECT_THAT(rig.results.all, SizeIs(1));
  EXPECT_THAT(rig.failed, IsEmpty()) << "the request never failed";
}

TEST(BatchFailures, WhenPatienceEndsAllRequestsFailAndTheBatchIsFoundLater) {
  BatchRig rig;
  rig.model.patience = {.seconds = 100, .longest_pause = 60};
  rig.ask("0");
  rig.create();
  rig.pass(4);
  rig.ask("1");
  rig.pass(1);
  rig.say(503, "");
  for (int i = 0; i < 30 && rig.results.all.empty(); ++i) {
    rig.pass(60);
    rig.say_to_all(503);
  }
  ASSERT_THAT(rig.results.all, SizeIs(2));
  for (const auto& result : rig.results.all) {
    EXPECT_EQ(result.fault, Fault::endpoint);
    EXPECT_EQ(result.unsettled, Cost{}) << "what was sent is found again, and paid then";
  }
  EXPECT_THAT(rig.failed, IsEmpty());
  EXPECT_THAT(rig.records(), SizeIs(1));
  rig.ask("0");
  rig.pass(2);
  EXPECT_EQ(rig.url(), kRoot + "/batches/batch_1");
  rig.say(rig.ended("batch_1"));
  rig.say(rig.answered("0", "zero"));
  EXPECT_EQ(rig.results.all.back().text, "zero");
}

TEST(BatchFailures, DoesNotWaitForeverForAnEndpointWithAnotherProtocol) {
  BatchRig rig;
  rig.model.patience.seconds = 0;
  rig.ask("0");
  rig.pass(2);
  for (int i = 0; i < 10 && rig.results.all.empty(); ++i) {
    rig.say(R"({"object":"something else"})");
    rig.pass(60);
  }
  ASSERT_THAT(rig.results.all, SizeIs(1));
  EXPECT_EQ(rig.results.all[0].status, LlmStatus::malformed);
  EXPECT_EQ(rig.results.all[0].fault, Fault::endpoint);
}

TEST(BatchFailures, SendsNothingAfterStopSending) {
  BatchRig rig;
  rig.ask("in a batch");
  rig.create();
  rig.ask("collected");
  rig.client->stop_sending();
  rig.clock.run();
  ASSERT_THAT(rig.results.all, SizeIs(2));
  rig.ask("later");
  ASSERT_THAT(rig.results.all, SizeIs(3));
  for (const auto& result : rig.results.all) EXPECT_EQ(result.status, LlmStatus::cancelled);
  const auto sent = rig.wire.size();
  rig.pass(1000);
  EXPECT_THAT(rig.wire, SizeIs(sent));
  EXPECT_THAT(rig.records(), SizeIs(1)) << "the batch is left to the journal";
}

TEST(BatchFailures, AfterStopSendingCreatesNoBatchButRecordsOneUnderWay) {
  BatchRig rig;
  rig.ask("0");
  rig.pass(2);
  rig.client->stop_sending();
  rig.say(R"({"id":"file-1"})");
  EXPECT_THAT(rig.wire, SizeIs(1));
  EXPECT_THAT(rig.records(), IsEmpty());

  BatchRig posted;
  posted.ask("0");
  posted.pass(2);
  posted.say(R"({"id":"file-1"})");
  posted.client->stop_sending();
  posted.say(posted.state("batch_1"));
  ASSERT_THAT(posted.records(), SizeIs(1));
  EXPECT_EQ(posted.records()[0].id, "batch_1");
}

TEST(BatchFailures, StopSendingMayBeCalledFromOnFailedAttempt) {
  BatchRig rig;
  rig.start();
  auto request = rig.request("0");
  request.on_failed_attempt = [&](const FailedAttempt&) {
    rig.client->stop_sending();
    return false;
  };
  rig.client->complete(std::move(request), rig.results.keep());
  rig.ask("1");
  rig.create();
  rig.end_with(rig.expired("0") + rig.expired("1"));
  EXPECT_THAT(rig.results.all, SizeIs(2));
  rig.pass(1000);
  EXPECT_THAT(rig.results.all, SizeIs(2));
}

TEST(BatchFailures, WithoutAFolderADroppedRequestMayHaveCostHalfOfTheWorstCase) {
  BatchRig rig;
  rig.keeps = false;
  rig.ask("0");
  rig.create();
  rig.ask("1");
  rig.client->stop_sending();
  rig.clock.run();
  ASSERT_THAT(rig.results.all, SizeIs(2));
  std::vector<std::int64_t> unsettled;
  for (const auto& result : rig.results.all) unsettled.push_back(result.unsettled.tokens);
  EXPECT_THAT(unsettled, testing::UnorderedElementsAre(0, worst_case(rig.model, rig.request("0")).tokens));
}

TEST(BatchFailures, CancelsAllWhenDestroyed) {
  BatchRig rig;
  rig.ask("0");
  rig.create();
  rig.ask("1");
  rig.client.reset();
  EXPECT_THAT(rig.results.all, IsEmpty());
  rig.clock.run();
  ASSERT_THAT(rig.results.all, SizeIs(2));
  for (const auto& result : rig.results.all) EXPECT_EQ(result.status, LlmStatus::cancelled);
}

TEST(BatchFailures, TheClientIsMadeOnlyForProvidersWithABatchEndpoint) {
  BatchRig rig(Provider::gemini);
  EXPECT_THAT([&] { rig.start(); },
              ThrowsMessage<BadInput>(AllOf(HasSubstr("models.m.batch"), HasSubstr("gemini"))));
}

}  // namespace
}  // namespace ridgeline::llm
