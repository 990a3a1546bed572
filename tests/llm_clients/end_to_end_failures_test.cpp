// Failures over real sockets: error statuses, time limits, outages and bodies that are no answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/llm_clients/end_to_end_rig.hpp"

namespace ridgeline::llm {
namespace {

using namespace test;  // the server's script makes up most of these tests
using testing::HasSubstr;
using testing::Not;

TEST(EndToEndFailures, ReportsEveryErrorStatus) {
  const std::vector<std::pair<int, LlmStatus>> cases = {
      {400, LlmStatus::bad_request},  {401, LlmStatus::unauthorized}, {404, LlmStatus::not_found},
      {429, LlmStatus::rate_limited}, {500, LlmStatus::server_error}, {529, LlmStatus::overloaded}};
  EndToEndRig rig;
  for (const auto& [http, status] : cases) {
    rig.server.then({Bytes{response(http, R"({"error":{"message":"because, )" + kKey + "\"}}")}});
    const auto result = rig.ask();
    EXPECT_EQ(result.status, status) << http;
    EXPECT_THAT(result.detail, HasSubstr("HTTP " + std::to_string(http)));
    EXPECT_THAT(result.detail, HasSubstr("because, [api key]"));
    EXPECT_THAT(result.raw_response, Not(HasSubstr(kKey)));
  }
}

TEST(EndToEndFailures, RetriesUntilAnAnswer) {
  EndToEndRig rig;
  rig.model.retries.attempts = 4;
  rig.server.then({Bytes{response(429, "{}", "application/json", "retry-after-ms: 1\r\n")}});
  rig.server.then({Bytes{response(529, "")}});
  rig.server.then({Bytes{"HTTP/1.1 200 OK\r\n"}, Close{}});
  rig.server.then({stream_answer()});
  const auto result = rig.ask();
  EXPECT_EQ(result.status, LlmStatus::answered) << result.detail;
  EXPECT_EQ(result.attempts, 4);
  EXPECT_EQ(rig.server.received().size(), 4u);
}

TEST(EndToEndFailures, EachTimeoutNamesItself) {
  struct Case {
    Timeouts timeouts;
    Reply reply;
    std::string named;
  };
  const Timeouts ample{.connect = 600, .first_byte = 600, .between_bytes = 600, .total = 600, .drain = 600};
  Timeouts first = ample, between = ample, total = ample;
  first.first_byte = between.between_bytes = total.total = 0.02;
  const auto begun = chunked_head() + chunk(kChatStream.substr(0, 200));
  const std::vector<Case> cases = {
      {first, {Stall{}}, "timeouts.first_byte"},
      {between, {Bytes{begun}, Stall{}}, "timeouts.between_bytes"},
      {between, {Bytes{"HTTP/1.1 200 OK\r\nContent-"}, Stall{}}, "timeouts.between_bytes"},
      {total, {Bytes{begun}, Stall{}}, "timeouts.total"},
  };
  for (const auto& test : cases) {
    EndToEndRig rig;
    rig.model.timeouts = test.timeouts;
    rig.server.then(test.reply);
    const auto result = rig.ask();
    EXPECT_EQ(result.status, LlmStatus::timed_out) << result.detail;
    EXPECT_THAT(result.detail, HasSubstr(test.named));
  }
}

TEST(EndToEndFailures, AStalledTlsHandshakeIsAConnectTimeout) {
  EndToEndRig rig(Speaks::nothing);
  rig.model.timeouts.connect = 0.02;
  const auto result = rig.ask();
  EXPECT_EQ(result.status, LlmStatus::timed_out);
  EXPECT_THAT(result.detail, HasSubstr("timeouts.connect"));
}

TEST(EndToEndFailures, ReadsASlowErrorBodyOnlyForAMoment) {
  const auto head = "HTTP/1.1 503 Busy\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n";
  Reply trickle = {Bytes{head}};
  for (const char letter : std::string("so much to do")) trickle.push_back(Bytes{std::string(1, letter)});
  trickle.push_back(Stall{});
  for (const Reply& reply : {trickle, Reply{Bytes{head}, Stall{}}}) {
    EndToEndRig rig;
    rig.model.timeouts = {.connect = 600,
                          .first_byte = 600,
                          .between_bytes = 600,
                          .total = 600,
                          .drain = 600,
                          .error_body = 0.02};
    rig.server.then(reply);
    const auto result = rig.ask();
    EXPECT_EQ(result.status, LlmStatus::overloaded) << result.detail;
    EXPECT_EQ(result.unsettled, Cost{}) << "it was turned away";
  }
}

TEST(EndToEndFailures, WaitsForAnOutageToEnd) {
  EndToEndRig rig;
  rig.model.retries = {.attempts = 2, .base = 0.001, .cap = 0.001, .longest = 600};
  rig.model.patience = {.seconds = 600, .longest_pause = 0.01};
  for (int i = 0; i < 3; ++i) rig.server.then({Bytes{response(503, "{}")}});
  rig.server.then({Bytes{"HTTP/1.1 200 OK\r\n"}, Reset{}});
  rig.server.then({Bytes{response(200, "<html>maintenance</html>", "text/html")}});
  rig.server.then({Bytes{chunked_head() + chunk(kChatStream.substr(0, 300))}, Close{}});
  rig.server.then({stream_answer()});
  const auto result = rig.ask();
  EXPECT_TRUE(result.ok()) << result.detail;
  EXPECT_EQ(result.text, kText);
  EXPECT_EQ(result.attempts, 7);
  EXPECT_EQ(rig.server.received().size(), 7u);
}

TEST(EndToEndFailures, ClientsOfOneIoContextShareEndpoints) {
  EndToEndRig rig;
  rig.model.api_key_env = "RIDGELINE_TEST_NO_SUCH_KEY";
  rig.model.retries = {.attempts = 1, .base = 3600, .cap = 0.001, .longest = 600};
  rig.model.patience = {.seconds = 86400, .longest_pause = 3600};
  std::vector<EndpointState> states;
  const auto told = [&](const EndpointState& state) { states.push_back(state); };
  const auto first = make_client(rig.model, rig.io, told);
  rig.model.name = "other";
  const auto second = make_client(rig.model, rig.io, told);
  for (int i = 0; i < 3; ++i) rig.server.then({Bytes{response(503, "{}")}});
  for (int i = 0; i < 3; ++i) first->complete({.messages = {{"user", "x"}}}, rig.results.keep());
  while (states.empty()) rig.io.run_one();
  EXPECT_EQ(states[0].model, "m");
  EXPECT_EQ(states[0].why, "503");
  second->complete({.messages = {{"user", "x"}}}, rig.results.keep());
  while (states.size() < 2) rig.io.run_one();
  EXPECT_EQ(states[1].model, "other");
  EXPECT_EQ(rig.server.received().size(), 3u) << "it was not asked again";
}

TEST(EndToEndFailures, RefusesHugeBodiesAndHeads) {
  const std::string big(4096, 'x');
  const std::string huge_head = "HTTP/1.1 200 OK\r\nX-Long: " + big + "\r\n\r\n";
  Reply endless = {Bytes{chunked_head("application/json")}};
  for (int i = 0; i < 64; ++i) endless.push_back(Bytes{chunk(big)});
  endless.push_back(Stall{});
  const std::vector<Reply> replies = {
      {Bytes{response(200, std::string(64 * 1024, 'x'))}},
      endless,
      {Bytes{"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + std::string(64 * 1024, 'x')},
       Close{}},
      {Bytes{"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999999999999\r\n\r\n"},
       Stall{}},
      {Bytes{huge_head}, Stall{}},
  };
  for (std::size_t i = 0; i < replies.size(); ++i) {
    EndToEndRig rig;
    rig.options.limits = {.body_bytes = 32 * 1024, .head_bytes = 2048};
    rig.server.then(replies[i]);
    const auto result = rig.ask();
    EXPECT_EQ(result.status, LlmStatus::malformed) << i << ' ' << result.detail;
    EXPECT_THAT(result.detail, HasSubstr("larger than")) << i;
    EXPECT_LE(result.raw_response.size(), 64u * 1024);
  }
}

TEST(EndToEndFailures, AnotherProtocolOrContentTypeIsMalformed) {
  EndToEndRig rig;
  rig.server.then({Bytes{"SSH-2.0-OpenSSH_9.2\r\n\r\n"}, Stall{}});
  EXPECT_EQ(rig.ask().status, LlmStatus::malformed);
  rig.server.then({Bytes{response(200, "<html>please sign in</html>", "text/html")}});
  const auto page = rig.ask();
  EXPECT_EQ(page.status, LlmStatus::malformed);
  EXPECT_THAT(page.detail, HasSubstr("please sign in"));
}

TEST(EndToEndFailures, ReportsAnErrorInsideAStreamWithStatus200) {
  EndToEndRig rig;
  rig.server.then({Bytes{chunked_head() +
                         chunk("data: {\"choices\":[{\"delta\":{\"content\":\"ha\"}}]}\n\n"
                               "data: {\"error\":{\"message\":\"out of memory\",\"code\":500}}\n\n") +
                         std::string(kLastChunk)}});
  const auto result = rig.ask();
  EXPECT_EQ(result.status, LlmStatus::server_error);
  EXPECT_THAT(result.detail, HasSubstr("out of memory"));
}

}  // namespace
}  // namespace ridgeline::llm
