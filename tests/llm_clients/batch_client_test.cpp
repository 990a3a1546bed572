// Tests how requests get their answers from batches, and what happens to requests that fail.
#include "llm_clients/batch_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

const std::string kRoot = "https://api.example/v1";

TEST(BatchClient, SendsRequestsTogetherAndGivesEachItsAnswerAtHalfThePrice) {
  BatchRig rig;
  rig.ask("0");
  rig.pass(1.9);
  rig.ask("1");
  rig.pass(1.9);
  EXPECT_THAT(rig.wire, IsEmpty()) << "the window begins anew with each request";
  rig.pass(0.1);
  ASSERT_THAT(rig.wire, SizeIs(1));
  EXPECT_EQ(rig.url(), kRoot + "/files");
  EXPECT_THAT(rig.last().request.body, AllOf(HasSubstr(rig.id_of("0")), HasSubstr(rig.id_of("1"))));
  EXPECT_FALSE(rig.last().request.fresh_connection);
  rig.say(R"({"id":"file-7"})");
  EXPECT_EQ(rig.url(), kRoot + "/batches");
  EXPECT_EQ(json::parse(rig.last().request.body).at("input_file_id"), "file-7");
  EXPECT_TRUE(rig.last().request.fresh_connection) << "nobody but this client may send it again";
  rig.say(R"({"id":"batch_1","status":"validating"})");
  rig.pass(4.9);
  EXPECT_THAT(rig.wire, SizeIs(2));
  rig.pass(0.1);
  EXPECT_EQ(rig.url(), kRoot + "/batches/batch_1");
  EXPECT_EQ(rig.last().request.method, HttpMethod::get);
  rig.say(R"({"id":"batch_1","status":"in_progress"})");
  rig.pass(7.5);
  ASSERT_THAT(rig.wire, SizeIs(4));
  rig.say(R"({"id":"batch_1","status":"completed","output_file_id":"out"})");
  EXPECT_EQ(rig.url(), kRoot + "/files/out/content");
  EXPECT_THAT(rig.results.all, IsEmpty());
  rig.say(rig.answered("1", "one") + rig.answered("0", "zero"));
  ASSERT_THAT(rig.results.all, SizeIs(2));
  const auto& result = rig.results.all[1];
  EXPECT_EQ(result.text, "zero");
  EXPECT_EQ(rig.results.all[0].text, "one");
  EXPECT_EQ(result.status, LlmStatus::answered);
  EXPECT_EQ(result.fault, Fault::none);
  EXPECT_EQ(result.usage.input_tokens, 10);
  EXPECT_DOUBLE_EQ(result.usd, (10 * 2 + 20 * 10) / 2e6);
  EXPECT_EQ(result.attempts, 1);
  EXPECT_EQ(result.endpoint, kRoot + "/batches");
  EXPECT_EQ(result.model_id, "id");
  EXPECT_NEAR(result.seconds, 12.5, 1) << "since the batch was sent, in whole seconds";
  EXPECT_THAT(result.raw_request, AllOf(HasSubstr("prompt of 0"), Not(HasSubstr("stream"))));
  EXPECT_THAT(result.raw_response, HasSubstr("zero"));
  rig.pass(1000);
  EXPECT_THAT(rig.wire, SizeIs(5)) << "nobody waits: nothing is asked";
}

TEST(BatchClient, RunsAnAnthropicBatchToItsEnd) {
  BatchRig rig(Provider::anthropic);
  rig.ask("0");
  rig.pass(2);
  EXPECT_EQ(rig.url(), kRoot + "/messages/batches");
  const auto sent = json::parse(rig.last().request.body).at("requests").at(0);
  EXPECT_EQ(sent.at("custom_id"), rig.id_of("0"));
  EXPECT_EQ(sent.at("params").at("messages").at(0).at("content"), "prompt of 0");
  rig.say(rig.state("msgbatch_1"));
  rig.pass(5);
  EXPECT_EQ(rig.url(), kRoot + "/messages/batches/msgbatch_1");
  rig.say(rig.ended("msgbatch_1"));
  EXPECT_EQ(rig.url(), kRoot + "/messages/batches/msgbatch_1/results");
  rig.say(rig.answered("0", "zero"));
  ASSERT_THAT(rig.results.all, SizeIs(1));
  EXPECT_EQ(rig.results.all[0].text, "zero");
  EXPECT_DOUBLE_EQ(rig.results.all[0].usd, (10 * 2 + 20 * 10) / 2e6);
}

TEST(BatchClient, SendsRequestsThatDidNotRunInTheNextBatch) {
  for (const auto provider : {Provider::openai_chat, Provider::anthropic}) {
    BatchRig rig(provider);
    rig.ask("0");
    rig.ask("1");
    rig.create();
    rig.end_with(rig.expired("0") + rig.answered("1", "one"));
    EXPECT_THAT(rig.results.all, SizeIs(1));
    ASSERT_THAT(rig.failed, SizeIs(1));
    EXPECT_EQ(rig.failed[0].number, 1);
    EXPECT_EQ(rig.failed[0].status, LlmStatus::timed_out);
    EXPECT_EQ(rig.failed[0].unsettled, Cost{});
    EXPECT_EQ(rig.failed[0].usd, 0);
    rig.pass(1);
    rig.create("batch_2");
    rig.end_with(rig.answered("0", "zero"), "batch_2");
    ASSERT_THAT(rig.results.all, SizeIs(2));
    EXPECT_EQ(rig.results.all[1].text, "zero");
    EXPECT_EQ(rig.results.all[1].attempts, 2);
  }
}

TEST(BatchClient, BlamesTheEndpointIfARequestExpiresInEveryBatch) {
  BatchRig rig;
  rig.model.retries.attempts = 2;
  rig.ask("0");
  rig.create();
  rig.end_with(rig.expired("0"));
  rig.pass(1);
  rig.create("batch_2");
  rig.end_with(rig.expired("0"), "batch_2");
  ASSERT_THAT(rig.results.all, SizeIs(1));
  EXPECT_EQ(rig.results.all[0].fault, Fault::endpoint);
  EXPECT_EQ(rig.results.all[0].attempts, 2);
  EXPECT_THAT(rig.results.all[0].detail, HasSubstr("2 attempts"));
  EXPECT_THAT(rig.failed, SizeIs(2)) << "the last one was told too";
}

TEST(BatchClient, SendsNothingMoreIfNoAttemptMayBePaid) {
  BatchRig rig;
  rig.may_go_on = false;
  rig.ask("0");
  rig.create();
  rig.end_with(rig.expired("0"));
  ASSERT_THAT(rig.results.all, SizeIs(1));
  EXPECT_FALSE(rig.results.all[0].ok());
  const auto sent = rig.wire.size();
  rig.pass(1000);
  EXPECT_THAT(rig.wire, SizeIs(sent));
}

TEST(BatchClient, TreatsAnItemsErrorLikeTheOrdinaryEndpoint) {
  BatchRig rig;
  for (const char* slot : {"0", "1", "2", "3"}) rig.ask(slot);
  rig.create();
  rig.end_with(rig.errored("0", 400, "too odd") + rig.errored("1", 500) + rig.errored("2", 403) +
               rig.answered("3", "three"));
  ASSERT_THAT(rig.results.all, SizeIs(3));
  EXPECT_EQ(rig.results.all[0].text, "three");
  EXPECT_EQ(rig.results.all[1].status, LlmStatus::bad_request);
  EXPECT_EQ(rig.results.all[1].fault, Fault::request);
  EXPECT_THAT(rig.results.all[1].detail, HasSubstr("too odd"));
  EXPECT_EQ(rig.results.all[2].fault, Fault::request) << "others were answered: one prompt was refused";
  EXPECT_THAT(rig.failed, SizeIs(1)) << "the 500: it is tried again";
  EXPECT_EQ(rig.failed[0].status, LlmStatus::server_error);
}

TEST(BatchClient, OmitsAPartOfTheBodyThatTheServerRejects) {
  BatchRig rig;
  rig.start();
  auto request = rig.request("0");
  request.seed = 7;
  rig.client->complete(std::move(request), rig.results.keep());
  rig.create();
  EXPECT_THAT(rig.wire[0].request.body, HasSubstr("\"seed\":7"));
  rig.end_with(rig.errored("0", 400, "Unrecognized request argument supplied: seed"));
  EXPECT_THAT(rig.results.all, IsEmpty());
  rig.pass(2);
  EXPECT_EQ(rig.url(), kRoot + "/files");
  EXPECT_THAT(rig.last().request.body, AllOf(HasSubstr(rig.id_of("0")), Not(HasSubstr("seed"))));
}

TEST(BatchClient, BlamesTheAccountIfEveryRequestIsDenied) {
  BatchRig rig;
  rig.ask("0");
  rig.ask("1");
  rig.create();
  rig.end_with(rig.errored("0", 404, "no such model") + rig.errored("1", 404, "no such model"));
  ASSERT_THAT(rig.results.all, SizeIs(2));
  for (const auto& result : rig.results.all) {
    EXPECT_EQ(result.status, LlmStatus::not_found);
    EXPECT_EQ(result.fault, Fault::account);
  }
}

TEST(BatchClient, AnItemWithoutALineMayHaveCostHalfOfTheWorstCase) {
  BatchRig rig;
  rig.ask("0");
  rig.create();
  rig.end_with("");
  ASSERT_THAT(rig.failed, SizeIs(1));
  const auto worst = worst_case(rig.model, rig.request("0"));
  EXPECT_EQ(rig.failed[0].unsettled.tokens, worst.tokens);
  EXPECT_DOUBLE_EQ(rig.failed[0].unsettled.usd, worst.usd / 2);
}

TEST(BatchClient, FetchesBrokenResultsAgainAndDeliversEachOnce) {
  BatchRig rig;
  rig.ask("0");
  rig.ask("1");
  rig.ask("2");
  rig.create();
  rig.pass(5);
  rig.say(rig.ended("batch_1"));
  rig.last().handlers.head({200, {}});
  rig.last().handlers.body(rig.answered("0", "zero") + rig.errored("2", 400) +
                           rig.answered("1", "o").substr(0, 70));
  rig.break_off();
  EXPECT_THAT(rig.results.all, SizeIs(1));
  rig.pass(1);
  EXPECT_EQ(rig.url(), kRoot + "/files/out/content");
  rig.say(rig.answered("0", "zero") + rig.errored("2", 400) + rig.answered("1", "one"));
  ASSERT_THAT(rig.results.all, SizeIs(3));
  EXPECT_EQ(rig.results.all[1].text, "one");
  EXPECT_EQ(rig.results.all[2].status, LlmStatus::bad_request);
}

TEST(BatchClient, ReadsTheFileOfErrorsToo) {
  BatchRig rig;
  rig.ask("0");
  rig.ask("1");
  rig.create();
  rig.pass(5);
  rig.say(R"({"id":"batch_1","status":"expired","output_file_id":"out","error_file_id":"bad"})");
  rig.say(rig.answered("0", "zero"));
  EXPECT_EQ(rig.url(), kRoot + "/files/bad/content");
  rig.say(rig.expired("1"));
  EXPECT_THAT(rig.results.all, SizeIs(1));
  EXPECT_THAT(rig.failed, SizeIs(1));
}

TEST(BatchClient, TreatsTwoEqualRequestsAsTwo) {
  BatchRig rig;
  rig.ask("0");
  rig.ask("0");
  rig.create();
  const auto ids = rig.records().at(0).custom_ids;
  ASSERT_THAT(ids, SizeIs(2));
  EXPECT_EQ(ids[1], ids[0] + "-2");
}

}  // namespace
}  // namespace ridgeline::llm
