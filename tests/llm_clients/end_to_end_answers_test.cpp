// Answers over real sockets: requests, streams, complete and broken bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/llm_clients/end_to_end_rig.hpp"

namespace ridgeline::llm {
namespace {

using namespace test;  // the server's script makes up most of these tests
using testing::HasSubstr;
using testing::Not;

TEST(EndToEnd, SendsTheExpectedRequest) {
  EndToEndRig rig;
  rig.server.then({whole_answer("hi")});
  EXPECT_EQ(rig.ask("a question").text, "hi");
  const auto received = rig.server.received().at(0);
  EXPECT_THAT(received.head, testing::StartsWith("POST /v1/chat/completions HTTP/1.1\r\n"));
  EXPECT_THAT(received.head, HasSubstr("Host: " + rig.server.authority() + "\r\n"));
  EXPECT_THAT(received.head, HasSubstr("Authorization: Bearer " + kKey + "\r\n"));
  EXPECT_THAT(received.body, HasSubstr("a question"));
  EXPECT_EQ(received.body, rig.results.all[0].raw_request);
}

TEST(EndToEnd, ReadsAStreamInSingleBytesOverPlainHttpAndTls) {
  for (const auto speaks : {Speaks::plain, Speaks::tls}) {
    EndToEndRig rig(speaks);
    Reply reply = {Bytes{chunked_head()}};
    for (const char byte : kChatStream) reply.push_back(Bytes{chunk({&byte, 1})});
    reply.push_back(Bytes{std::string(kLastChunk)});
    rig.server.then(std::move(reply));
    const auto result = rig.ask();
    EXPECT_EQ(result.status, LlmStatus::answered) << result.detail;
    EXPECT_EQ(result.text, kText);
    EXPECT_EQ(result.raw_response, kChatStream);
    EXPECT_EQ(result.usage, (Usage{10, 5, 4, 0, 2, true}));
  }
}

TEST(EndToEnd, ABodyWithoutALengthEndsWithTheConnection) {
  for (const auto speaks : {Speaks::plain, Speaks::tls}) {
    EndToEndRig rig(speaks);
    const auto head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    rig.server.then({Bytes{head + kChatStream.substr(0, kChatStream.find("data: [DONE]"))}, Close{}});
    EXPECT_EQ(rig.ask().text, kText);
  }
}

TEST(EndToEnd, ABreakFailsBeforeTheLastEventAndNotAfterIt) {
  const auto last = kChatStream.find("data: {\"choices\":[{\"delta\":{},");
  const auto after = kChatStream.find("data: {\"choices\":[],");
  for (const Step& end : {Step(Close{}), Step(Reset{})})
    for (const auto speaks : {Speaks::plain, Speaks::tls}) {
      EndToEndRig rig(speaks);
      rig.server.then({Bytes{chunked_head() + chunk(kChatStream.substr(0, last))}, end});
      const auto cut = rig.ask();
      EXPECT_EQ(cut.status, LlmStatus::connection_failed) << cut.detail;
    }
  for (const auto speaks : {Speaks::plain, Speaks::tls}) {
    EndToEndRig rig(speaks);
    rig.server.then({Bytes{chunked_head() + chunk(kChatStream.substr(0, after))}, Close{}});
    const auto whole = rig.ask();
    EXPECT_EQ(whole.status, LlmStatus::answered) << whole.detail;
    EXPECT_EQ(whole.text, kText);
  }
}

TEST(EndToEnd, AnIncompleteBodyIsAFailure) {
  EndToEndRig rig;
  const auto all = whole_answer("hi").bytes;
  rig.server.then({Bytes{all.substr(0, all.size() - 1)}, Close{}});
  EXPECT_EQ(rig.ask().status, LlmStatus::connection_failed);
}

TEST(EndToEnd, ReadsALargeAnswerUnderTheLimit) {
  EndToEndRig rig;
  const std::string text(8 << 20, 'a');
  rig.server.then({whole_answer(text)});
  EXPECT_EQ(rig.ask().text.size(), text.size());
}

TEST(EndToEnd, AStallAfterTheLastEventCostsOnlyTheDrainTime) {
  EndToEndRig rig;
  rig.model.timeouts.drain = 0.01;
  rig.server.then({Bytes{chunked_head() + chunk(kChatStream)}, Stall{}});
  const auto result = rig.ask();
  EXPECT_EQ(result.status, LlmStatus::answered) << result.detail;
  EXPECT_EQ(result.text, kText);
}

TEST(EndToEnd, ManyConcurrentRequestsEachGetTheirAnswer) {
  EndToEndRig rig;
  rig.model.limits.concurrency = 8;
  for (int i = 0; i < 32; ++i) rig.server.then({stream_answer()});
  rig.start();
  for (int i = 0; i < 32; ++i) rig.client->complete({.messages = {{"user", "x"}}}, rig.results.keep());
  rig.io.run();
  ASSERT_EQ(rig.results.all.size(), 32u);
  for (const auto& result : rig.results.all) EXPECT_EQ(result.text, kText) << result.detail;
  int connections = 0;
  for (const auto& request : rig.server.received()) connections = std::max(connections, request.connection);
  EXPECT_LE(connections, 8);
}

TEST(EndToEnd, TheFactoryMakesAWorkingClient) {
  EndToEndRig rig;
  rig.server.then({whole_answer("made")});
  rig.model.api_key_env = "RIDGELINE_TEST_NO_SUCH_KEY";
  rig.client = make_client(rig.model, rig.io);
  EXPECT_EQ(rig.ask().text, "made");
  EXPECT_THAT(rig.server.received().at(0).head, Not(HasSubstr("Authorization")));
}

TEST(EndToEnd, DestroyingTheClientCancelsRequestsUnderWay) {
  EndToEndRig rig;
  rig.server.then({Stall{}});
  rig.server.then({Bytes{chunked_head() + chunk(kChatStream.substr(0, 200))}, Stall{}});
  rig.start();
  for (int i = 0; i < 2; ++i) rig.client->complete({.messages = {{"user", "x"}}}, rig.results.keep());
  while (rig.server.received().size() < 2) rig.io.poll();
  rig.client.reset();
  EXPECT_TRUE(rig.results.all.empty());
  rig.io.run();  // ends: nothing is left that could keep it
  ASSERT_EQ(rig.results.all.size(), 2u);
  for (const auto& result : rig.results.all) EXPECT_EQ(result.status, LlmStatus::cancelled);
}

}  // namespace
}  // namespace ridgeline::llm
