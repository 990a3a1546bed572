// Requests that are given up: each kind of client drops what waits, breaks off what is under way, and says
// what that may have cost.
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>

#include "llm_clients/beast_transport.hpp"
#include "llm_clients/folder_watch.hpp"
#include "llm_clients/mailbox_client.hpp"
#include "llm_clients/mailbox_folder.hpp"
#include "tests/llm_clients/batch_rig.hpp"
#include "tests/llm_clients/client_rig.hpp"
#include "tests/llm_clients/fake_server.hpp"
#include "tests/llm_clients/scratch_folder.hpp"

namespace ridgeline::llm {
namespace {

using test::BatchRig;
using test::ClientRig;

/// A provider's client with room for one request at a time.
struct OneAtATime : ClientRig {
  OneAtATime() {
    model.limits.concurrency = 1;
    start();
    for (const auto* address : {"a", "b", "c"}) {
      auto one = request(address);
      one.address = address;
      client->complete(std::move(one), results.keep());
    }
    clock.run();
  }
  void cancel(const std::string& address) {
    client->cancel(address);
    clock.run();
  }
};

TEST(CancelledCall, UnderWayIsBrokenOffAndTheNextRequestStarts) {
  OneAtATime rig;
  ASSERT_EQ(rig.wire.size(), 1u);
  rig.cancel("a");
  EXPECT_TRUE(rig.wire[0].aborted);
  ASSERT_EQ(rig.results.all.size(), 1u);
  const auto& result = rig.results.all[0];
  EXPECT_EQ(result.status, LlmStatus::cancelled);
  EXPECT_EQ(result.fault, Fault::endpoint);
  EXPECT_EQ(result.attempts, 1);
  EXPECT_GE(result.unsettled.tokens, 100) << "the provider may have put out all that was allowed";
  EXPECT_GT(result.unsettled.usd, 0);
  ASSERT_EQ(rig.wire.size(), 2u);
  rig.answer(1);
  EXPECT_EQ(rig.results.all.at(1).text, "ok");
}

TEST(CancelledCall, InTheQueueIsDroppedAndCostsNothing) {
  OneAtATime rig;
  rig.cancel("b");
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].status, LlmStatus::cancelled);
  EXPECT_EQ(rig.results.all[0].attempts, 0) << "it was never sent";
  EXPECT_EQ(rig.results.all[0].unsettled, Cost{});
  rig.answer(0);
  ASSERT_EQ(rig.wire.size(), 2u);
  EXPECT_NE(rig.wire[1].request.body.find("\"c\""), std::string::npos);
}

TEST(CancelledCall, BetweenTwoAttemptsIsNotSentAgain) {
  OneAtATime rig;
  rig.turn_away(0, 503);
  rig.cancel("a");
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].attempts, 1);
  EXPECT_EQ(rig.results.all[0].unsettled, Cost{}) << "the failed attempt was told already";
  rig.clock.advance(600);
  ASSERT_GT(rig.wire.size(), 1u) << "the others go on";
  for (std::size_t i = 1; i < rig.wire.size(); ++i)
    EXPECT_EQ(rig.wire[i].request.body.find("\"a\""), std::string::npos);
}

TEST(CancelledCall, CancellingAnEndedCallChangesNothing) {
  OneAtATime rig;
  rig.answer(0);
  rig.cancel("a");
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].text, "ok");
}

TEST(CancelledCall, ClosesItsConnection) {
  test::FakeServer server;
  server.then({test::Bytes{test::chunked_head()}, test::Stall{}});  // until the client leaves
  server.then({test::Bytes{
      test::response(200, R"({"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]})")}});
  boost::asio::io_context io;
  ProviderParts parts;
  parts.model.name = "m";
  parts.model.id = "id";
  parts.model.base_url = "http://" + server.authority() + "/v1";
  parts.model.patience.seconds = 0;
  parts.transport = make_transport(io, {});
  parts.timers = make_timers(io);
  parts.random = [] { return 0.5; };
  const auto client = make_provider_client(std::move(parts));
  test::Results results;
  client->complete({.messages = {{"user", "one"}}, .address = "one"}, results.keep());
  while (server.received().empty()) io.run_one();
  client->cancel("one");
  while (results.all.empty()) io.run_one();
  EXPECT_EQ(results.all[0].status, LlmStatus::cancelled);
  client->complete({.messages = {{"user", "two"}}, .address = "two"}, results.keep());
  while (results.all.size() < 2) io.run_one();
  EXPECT_EQ(results.all[1].text, "hi");
  EXPECT_EQ(server.received().at(1).connection, 2);
}

TEST(CancelledCall, BeforeItsBatchIsSentIsLeftOut) {
  BatchRig rig;
  rig.ask("0");
  rig.ask("1");
  rig.client->cancel("t/s/1/0/0");
  rig.clock.run();
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].status, LlmStatus::cancelled);
  EXPECT_EQ(rig.results.all[0].attempts, 0);
  rig.pass(rig.collect.window);
  EXPECT_EQ(rig.last().request.body.find("prompt of 0"), std::string::npos);
  EXPECT_NE(rig.last().request.body.find("prompt of 1"), std::string::npos);
}

TEST(CancelledCall, InABatchMayBeBilledAndTheOthersGetTheirResults) {
  BatchRig rig;
  rig.ask("0");
  rig.ask("1");
  rig.create();
  rig.client->cancel("t/s/1/0/0");
  rig.clock.run();
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].status, LlmStatus::cancelled);
  EXPECT_EQ(rig.results.all[0].attempts, 1);
  EXPECT_GT(rig.results.all[0].unsettled.usd, 0);
  rig.end_with(rig.answered("0", "unwanted") + rig.answered("1", "wanted"));
  ASSERT_EQ(rig.results.all.size(), 2u);
  EXPECT_EQ(rig.results.all[1].text, "wanted");
}

/// A watch that looks at nothing.
class NoWatch : public FolderWatch {
 public:
  void enable(bool) override {}
};

TEST(CancelledCall, InAMailboxIsRemovedUnlessAnotherCallNeedsIt) {
  test::ScratchFolder folder;
  test::Clock clock;
  test::Results results;
  Model model;
  model.path = folder.path().string();
  const auto client = make_mailbox_client(
      model, std::make_unique<test::ManualTimers>(clock),
      [](const std::filesystem::path&, std::function<void()>) { return std::make_unique<NoWatch>(); });
  const LlmRequest request{.messages = {{"user", "x"}}, .address = "t/s/0/0/0"};
  const auto letter = folder.path() / "outbox" / (mailbox_id(request) + ".json");
  client->complete(request, results.keep());
  client->complete(request, results.keep());
  client->cancel(request.address);
  clock.run();
  EXPECT_EQ(results.all.size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(letter)) << "the other one waits for it";
  client->cancel(request.address);
  clock.run();
  ASSERT_EQ(results.all.size(), 2u);
  EXPECT_EQ(results.all[1].status, LlmStatus::cancelled);
  EXPECT_EQ(results.all[1].attempts, 0);
  EXPECT_FALSE(std::filesystem::exists(letter));
}

}  // namespace
}  // namespace ridgeline::llm
