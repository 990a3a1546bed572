// No request is paid twice, whenever the process is killed and whatever breaks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/llm_clients/batch_rig.hpp"

namespace ridgeline::llm {
namespace {

using nlohmann::json;
using test::BatchRig;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST(BatchDurability, WritesTheRecordBeforeTheBatchAndItsIdBeforeTheFirstPoll) {
  BatchRig rig;
  rig.ask("0");
  rig.pass(2);
  EXPECT_THAT(rig.records(), IsEmpty()) << "an upload is no batch";
  rig.say(R"({"id":"file-1"})");
  ASSERT_THAT(rig.records(), SizeIs(1));
  EXPECT_EQ(rig.records()[0].id, "");
  EXPECT_THAT(rig.records()[0].custom_ids, ElementsAre(rig.id_of("0")));
  const auto metadata = json::parse(rig.last().request.body).at("metadata").at("ridgeline_batch");
  EXPECT_EQ(metadata, rig.records()[0].key);
  rig.say(rig.state("batch_1"));
  EXPECT_EQ(rig.records()[0].id, "batch_1");
}

TEST(BatchDurability, KeepsTheRecordUntilTheCallerHasStoredTheResults) {
  BatchRig rig;
  rig.ask("0");
  rig.create();
  rig.end_with(rig.answered("0", "zero"));
  EXPECT_THAT(rig.records(), SizeIs(1)) << "a kill now must not lose what was just handed over";
  rig.pass(9);
  rig.ask("1");
  EXPECT_THAT(rig.records(), SizeIs(1));
  rig.pass(1.1);
  rig.ask("2");
  EXPECT_THAT(rig.records(), IsEmpty());
}

TEST(BatchDurability, AfterAKillARequestWaitsForItsOldBatch) {
  for (const auto provider : {Provider::openai_chat, Provider::anthropic}) {
    BatchRig rig(provider);
    rig.ask("0");
    rig.ask("1");
    rig.create();
    rig.restart();
    EXPECT_THAT(rig.wire, IsEmpty()) << "nobody waits for it yet";
    rig.ask("1");
    rig.ask("new");
    rig.pass(2);
    std::vector<std::string> urls;
    for (const auto& sent : rig.wire) urls.push_back(sent.request.url);
    ASSERT_THAT(urls, SizeIs(2));
    EXPECT_THAT(urls[0], EndsWith("/batches/batch_1"));
    EXPECT_THAT(rig.wire[1].request.body, AllOf(HasSubstr(rig.id_of("new")), Not(HasSubstr(rig.id_of("1")))));
    rig.wire[0].answer(200, {}, rig.ended("batch_1"));
    rig.say(rig.answered("0", "zero") + rig.answered("1", "one"));
    ASSERT_THAT(rig.results.all, SizeIs(1));
    EXPECT_EQ(rig.results.all[0].text, "one");
    EXPECT_DOUBLE_EQ(rig.results.all[0].usd, (10 * 2 + 20 * 10) / 2e6);
    EXPECT_EQ(rig.results.all[0].attempts, 1);
  }
}

TEST(BatchDurability, FetchesOldResultsOnceARequestNeedsThem) {
  BatchRig rig;
  rig.ask("0");
  rig.ask("1");
  rig.create();
  rig.restart();
  rig.ask("0");
  rig.pass(2);
  rig.say(rig.ended("batch_1"));
  rig.say(rig.answered("0", "zero") + rig.answered("1", "one"));
  EXPECT_THAT(rig.records().at(0).settled, ElementsAre(rig.id_of("0")));
  rig.pass(1000);
  rig.ask("1");
  rig.pass(2);
  rig.say(rig.ended("batch_1"));
  rig.say(rig.answered("0", "zero") + rig.answered("1", "one"));
  ASSERT_THAT(rig.results.all, SizeIs(2));
  EXPECT_EQ(rig.results.all[1].text, "one");
  rig.pass(11);
  rig.client.reset();
  EXPECT_THAT(rig.records(), IsEmpty()) << "all of it was handed over, by two processes";
}

TEST(BatchDurability, ARequestThatComesWhileResultsAreReadGetsItsOwn) {
  BatchRig rig;
  rig.ask("0");
  rig.ask("1");
  rig.create();
  rig.restart();
  rig.ask("0");
  rig.pass(2);
  rig.say(rig.ended("batch_1"));
  rig.last().handlers.head({200, {}});
  rig.last().handlers.body(rig.answered("1", "one"));
  rig.ask("1");
  rig.last().handlers.body(rig.answered("0", "zero"));
  rig.break_off(HttpEndKind::complete);
  EXPECT_THAT(rig.results.all, SizeIs(1));
  rig.say(rig.ended("batch_1"));
  rig.say(rig.answered("1", "one") + rig.answered("0", "zero"));
  EXPECT_THAT(rig.results.all, SizeIs(2));
  EXPECT_THAT(rig.failed, IsEmpty());
}

TEST(BatchDurability, FindsABatchByMetadataAfterAKillDuringItsPost) {
  BatchRig rig;
  rig.ask("0");
  rig.pass(2);
  rig.say(R"({"id":"file-1"})");  // and now the POST is on the wire
  const auto key = rig.records().at(0).key;
  rig.restart();
  rig.ask("0");
  rig.pass(29);
  EXPECT_THAT(rig.wire, IsEmpty()) << "the provider may still be at it";
  rig.pass(1);
  ASSERT_THAT(rig.wire, SizeIs(1));
  EXPECT_THAT(rig.url(), EndsWith("/batches?limit=100"));
  rig.say(R"({"data":[{"id":"other","created_at":1700000100}],"has_more":true})");
  EXPECT_THAT(rig.url(), EndsWith("/batches?limit=100&after=other"));
  rig.say(R"({"data":[{"id":"batch_9","metadata":{"ridgeline_batch":")" + key + R"("}}],"has_more":false})");
  EXPECT_EQ(rig.records().at(0).id, "batch_9");
  EXPECT_THAT(rig.url(), EndsWith("/batches/batch_9"));
  rig.say(rig.ended("batch_9"));
  rig.say(rig.answered("0", "zero"));
  ASSERT_THAT(rig.results.all, SizeIs(1));
  EXPECT_EQ(rig.results.all[0].text, "zero");
}

TEST(BatchDurability, SendsABatchAgainThatWasNeverCreated) {
  BatchRig rig;
  rig.ask("0");
  rig.pass(2);
  rig.say(R"({"id":"file-1"})");
  rig.restart();
  rig.ask("0");
  rig.pass(30);
  rig.say(R"({"data":[],"has_more":false})");
  EXPECT_THAT(rig.records(), IsEmpty());
  rig.pass(2);
  EXPECT_THAT(rig.url(), EndsWith("/files"));
  EXPECT_THAT(rig.last().request.body, HasSubstr(rig.id_of("0")));
}

TEST(BatchDurability, SearchesForABatchWhosePostBrokeOff) {
  for (const int status : {0, 500, 502, 504}) {
    BatchRig rig;
    rig.ask("0");
    rig.pass(2);
    rig.say(R"({"id":"file-1"})");
    const auto key = rig.records().at(0).key;
    status == 0 ? rig.break_off() : rig.say(status, "");
    rig.pass(40);
    EXPECT_THAT(rig.url(), EndsWith("/batches?limit=100")) << status;
    rig.say(R"({"data":[{"id":"batch_1","metadata":{"ridgeline_batch":")" + key + R"("}}]})");
    rig.end_with(rig.answered("0", "zero"));
    ASSERT_THAT(rig.results.all, SizeIs(1)) << status;
    EXPECT_EQ(rig.results.all[0].attempts, 1);
  }
}

TEST(BatchDurability, SendsABatchAgainWhosePostWasRefused) {
  for (const int status : {0, 429, 503, 529}) {
    BatchRig rig;
    rig.ask("0");
    rig.pass(2);
    rig.say(R"({"id":"file-1"})");
    status == 0 ? rig.break_off(HttpEndKind::connect_failed) : rig.say(status, "");
    rig.pass(1);
    EXPECT_THAT(rig.url(), EndsWith("/batches")) << status;
    EXPECT_EQ(rig.last().request.method, HttpMethod::post);
    EXPECT_EQ(json::parse(rig.last().request.body).at("input_file_id"), "file-1");
  }
}

std::string page_of(const char* id, const BatchRig& rig, int requests) {
  const auto since = std::chrono::duration_cast<std::chrono::seconds>(rig.clock.wall.time_since_epoch());
  EXPECT_EQ(since.count() / 3600, 1'700'000'000 / 3600) << "the dates below are of that hour";
  return R"({"data":[{"id":")" + std::string(id) +
         R"(","created_at":"2023-11-14T22:13:25Z","request_counts":{"processing":)" +
         std::to_string(requests) + R"(}}],"has_more":false})";
}

TEST(BatchDurability, AGuessedBatchIsConfirmedByItsResults) {
  BatchRig rig(Provider::anthropic);
  rig.ask("0");
  rig.pass(2);
  rig.break_off();
  rig.pass(40);
  rig.say(page_of("msgbatch_1", rig, 1));
  EXPECT_TRUE(rig.records().at(0).guessed);
  rig.say(rig.ended("msgbatch_1"));
  rig.say(rig.answered("0", "zero"));
  ASSERT_THAT(rig.results.all, SizeIs(1));
  EXPECT_EQ(rig.results.all[0].text, "zero");
}

TEST(BatchDurability, RemembersAWrongGuessAndSendsTheRequestsAgain) {
  BatchRig rig(Provider::anthropic);
  rig.ask("0");
  rig.pass(2);
  rig.break_off();
  rig.pass(40);
  rig.say(page_of("another's", rig, 1));
  rig.say(rig.ended("another's"));
  rig.say(R"({"custom_id":"someone","result":{"type":"expired"}})");
  EXPECT_THAT(rig.results.all, IsEmpty());
  EXPECT_THAT(rig.records().at(0).not_ours, ElementsAre("another's"));
  EXPECT_THAT(rig.url(), EndsWith("/messages/batches?limit=100"));
  rig.say(page_of("another's", rig, 1));
  EXPECT_THAT(rig.records(), IsEmpty());
  rig.pass(2);
  EXPECT_THAT(rig.url(), EndsWith("/messages/batches"));
  EXPECT_THAT(rig.last().request.body, HasSubstr(rig.id_of("0")));
}

TEST(BatchDurability, DoesNotGuessAKnownBatch) {
  BatchRig rig(Provider::anthropic);
  rig.ask("0");
  rig.create("msgbatch_1");
  rig.ask("1");
  rig.pass(2);
  rig.break_off();
  rig.wire.clear();
  while (rig.wire.empty() || !rig.url().ends_with("limit=100")) {
    if (!rig.wire.empty() && rig.last().handlers.end) rig.say(rig.state("msgbatch_1"));
    rig.pass(10);
  }
  rig.say(page_of("msgbatch_1", rig, 1));
  EXPECT_THAT(rig.records(), SizeIs(1)) << "the second was never created";
}

TEST(BatchDurability, DoesNotResendABatchThatTheProviderDoesNotKnow) {
  BatchRig rig;
  rig.ask("0");
  rig.create();
  rig.restart();
  rig.ask("0");
  rig.pass(2);
  for (int i = 0; i < 10 && rig.results.all.empty(); ++i) {
    EXPECT_THAT(rig.url(), EndsWith("/batches/batch_1"));
    rig.say(404, "");
    rig.pass(60);
  }
  ASSERT_THAT(rig.results.all, SizeIs(1));
  EXPECT_EQ(rig.results.all[0].fault, Fault::account);
  EXPECT_THAT(rig.results.all[0].detail,
              AllOf(HasSubstr("batch_1"), HasSubstr((rig.folder / "batches").string()), HasSubstr(".json")));
  EXPECT_THAT(rig.records(), SizeIs(1));
}

TEST(BatchDurability, SendsNoBatchThatCannotBeRecorded) {
  BatchRig rig;
  std::ofstream(rig.folder / "batches") << "in the way of the folder";
  EXPECT_ANY_THROW(rig.start());
  std::filesystem::remove(rig.folder / "batches");
  rig.start();
  std::ofstream(rig.folder / "batches") << "in the way of the folder";
  rig.ask("0");
  rig.pass(2);
  rig.say(R"({"id":"file-1"})");
  EXPECT_THAT(rig.wire, SizeIs(1)) << "no batch";
  ASSERT_THAT(rig.results.all, SizeIs(1));
  EXPECT_EQ(rig.results.all[0].fault, Fault::endpoint);
  EXPECT_THAT(rig.results.all[0].detail, AllOf(HasSubstr("batches"), HasSubstr("paid twice")));
}

TEST(BatchDurability, ARetriedRequestWaitsForItsNewerBatch) {
  BatchRig rig;
  rig.ask("0");
  rig.ask("1");
  rig.create();
  rig.end_with(rig.expired("0") + rig.answered("1", "one"));
  rig.pass(1);
  rig.create("batch_2");
  rig.restart();
  rig.ask("0");
  rig.pass(2);
  EXPECT_THAT(rig.url(), EndsWith("/batches/batch_2"));
}

}  // namespace
}  // namespace ridgeline::llm
