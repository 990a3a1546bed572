// The client with the real transport against a server that does what a script says, byte for byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "llm_clients/beast_transport.hpp"
#include "llm_clients/factory.hpp"
#include "llm_clients/provider_client.hpp"
#include "tests/llm_clients/fake_server.hpp"
#include "tests/llm_clients/fakes.hpp"
#include "tests/llm_clients/streams.hpp"

namespace ridgeline::llm {
namespace {

using namespace test;  // the server's script is most of what stands here
using testing::HasSubstr;
using testing::Not;

const std::string kKey = "sk-0123456789abcdef";

struct Ends {
  FakeServer server;
  boost::asio::io_context io;
  Model model;
  TransportOptions options;
  Results results;
  std::unique_ptr<LlmClient> client;

  explicit Ends(Speaks speaks = Speaks::plain) : server(speaks) {
    model.name = "m";
    model.id = "id";
    model.base_url = (speaks == Speaks::plain ? "http://" : "https://") + server.authority() + "/v1";
    model.retries = {.attempts = 1, .base = 0, .cap = 0, .longest = 600};
    model.patience.seconds = 0;
    options.trusted_pem = server.trusted_pem();
  }

  void start() {
    ProviderParts parts;
    parts.model = model;
    parts.key = kKey;
    parts.transport = make_transport(io, options);
    parts.timers = make_timers(io);
    parts.random = [] { return 0.5; };
    client = make_provider_client(std::move(parts));
  }
  LlmResult ask(const std::string& text = "hello") {
    if (!client) start();
    client->complete({.messages = {{"user", text}}}, results.keep());
    const auto before = results.all.size();
    io.restart();
    while (results.all.size() == before && io.run_one() != 0) {
    }
    if (results.all.size() == before) throw std::runtime_error("no result, and nothing left to run");
    return results.all.back();
  }
};

Bytes whole_answer(const std::string& text, std::string_view more_headers = "") {
  return {response(200, R"({"choices":[{"message":{"content":")" + text + R"("},"finish_reason":"stop"}]})",
                   "application/json", more_headers)};
}

Bytes stream_answer(std::string_view stream = kChatStream) {
  return {chunked_head() + chunk(stream) + std::string(kLastChunk)};
}

TEST(EndToEnd, TheRequestOnTheWire) {
  Ends ends;
  ends.server.then({whole_answer("hi")});
  EXPECT_EQ(ends.ask("a question").text, "hi");
  const auto received = ends.server.received().at(0);
  EXPECT_THAT(received.head, testing::StartsWith("POST /v1/chat/completions HTTP/1.1\r\n"));
  EXPECT_THAT(received.head, HasSubstr("Host: " + ends.server.authority() + "\r\n"));
  EXPECT_THAT(received.head, HasSubstr("Authorization: Bearer " + kKey + "\r\n"));
  EXPECT_THAT(received.body, HasSubstr("a question"));
  EXPECT_EQ(received.body, ends.results.all[0].raw_request);
}

TEST(EndToEnd, AStreamInSingleBytesOverPlainHttpAndTls) {
  for (const auto speaks : {Speaks::plain, Speaks::tls}) {
    Ends ends(speaks);
    Reply reply = {Bytes{chunked_head()}};
    for (const char byte : kChatStream) reply.push_back(Bytes{chunk({&byte, 1})});
    reply.push_back(Bytes{std::string(kLastChunk)});
    ends.server.then(std::move(reply));
    const auto result = ends.ask();
    EXPECT_EQ(result.status, LlmStatus::answered) << result.detail;
    EXPECT_EQ(result.text, kText);
    EXPECT_EQ(result.raw_response, kChatStream);
    EXPECT_EQ(result.usage, (Usage{10, 5, 4, 0, 2, true}));
  }
}

TEST(EndToEnd, ABodyWithoutALengthEndsWithTheConnection) {
  for (const auto speaks : {Speaks::plain, Speaks::tls}) {
    Ends ends(speaks);
    const auto head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    ends.server.then({Bytes{head + kChatStream.substr(0, kChatStream.find("data: [DONE]"))}, Close{}});
    EXPECT_EQ(ends.ask().text, kText);
  }
}

TEST(EndToEnd, BrokenOffBeforeAndAfterTheLastEvent) {
  const auto last = kChatStream.find("data: {\"choices\":[{\"delta\":{},");
  const auto after = kChatStream.find("data: {\"choices\":[],");
  for (const Step& end : {Step(Close{}), Step(Reset{})})
    for (const auto speaks : {Speaks::plain, Speaks::tls}) {
      Ends ends(speaks);
      ends.server.then({Bytes{chunked_head() + chunk(kChatStream.substr(0, last))}, end});
      const auto cut = ends.ask();
      EXPECT_EQ(cut.status, LlmStatus::connection_failed) << cut.detail;
    }
  for (const auto speaks : {Speaks::plain, Speaks::tls}) {
    Ends ends(speaks);
    ends.server.then({Bytes{chunked_head() + chunk(kChatStream.substr(0, after))}, Close{}});
    const auto whole = ends.ask();
    EXPECT_EQ(whole.status, LlmStatus::answered) << whole.detail;
    EXPECT_EQ(whole.text, kText);
  }
}

TEST(EndToEnd, AWholeBodyCutShortIsAFailure) {
  Ends ends;
  const auto all = whole_answer("hi").bytes;
  ends.server.then({Bytes{all.substr(0, all.size() - 1)}, Close{}});
  EXPECT_EQ(ends.ask().status, LlmStatus::connection_failed);
}

TEST(EndToEnd, EveryErrorStatus) {
  const std::vector<std::pair<int, LlmStatus>> cases = {
      {400, LlmStatus::bad_request},  {401, LlmStatus::unauthorized}, {404, LlmStatus::not_found},
      {429, LlmStatus::rate_limited}, {500, LlmStatus::server_error}, {529, LlmStatus::overloaded}};
  Ends ends;
  for (const auto& [http, status] : cases) {
    ends.server.then({Bytes{response(http, R"({"error":{"message":"because, )" + kKey + "\"}}")}});
    const auto result = ends.ask();
    EXPECT_EQ(result.status, status) << http;
    EXPECT_THAT(result.detail, HasSubstr("HTTP " + std::to_string(http)));
    EXPECT_THAT(result.detail, HasSubstr("because, [api key]"));
    EXPECT_THAT(result.raw_response, Not(HasSubstr(kKey)));
  }
}

TEST(EndToEnd, TurnedAwayThenAnswered) {
  Ends ends;
  ends.model.retries.attempts = 4;
  ends.server.then({Bytes{response(429, "{}", "application/json", "retry-after-ms: 1\r\n")}});
  ends.server.then({Bytes{response(529, "")}});
  ends.server.then({Bytes{"HTTP/1.1 200 OK\r\n"}, Close{}});
  ends.server.then({stream_answer()});
  const auto result = ends.ask();
  EXPECT_EQ(result.status, LlmStatus::answered) << result.detail;
  EXPECT_EQ(result.attempts, 4);
  EXPECT_EQ(ends.server.received().size(), 4u);
}

TEST(EndToEnd, RedirectsAreNotFollowed) {
  Ends ends;
  FakeServer elsewhere;
  const auto location = "Location: http://" + elsewhere.authority() + "/v1/chat/completions\r\n";
  for (const int status : {301, 302, 303, 307, 308}) {
    ends.server.then({Bytes{response(status, "", "text/html", location)}});
    const auto result = ends.ask();
    EXPECT_EQ(result.status, LlmStatus::not_found);
    EXPECT_THAT(result.detail, HasSubstr(elsewhere.authority()));
  }
  EXPECT_TRUE(elsewhere.received().empty());
}

TEST(EndToEnd, EachTimeoutSaysWhichItWas) {
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
  for (const auto& one : cases) {
    Ends ends;
    ends.model.timeouts = one.timeouts;
    ends.server.then(one.reply);
    const auto result = ends.ask();
    EXPECT_EQ(result.status, LlmStatus::timed_out) << result.detail;
    EXPECT_THAT(result.detail, HasSubstr(one.named));
  }
}

TEST(EndToEnd, ATlsHandshakeThatStallsIsAConnectTimeout) {
  Ends ends(Speaks::nothing);
  ends.model.timeouts.connect = 0.02;
  const auto result = ends.ask();
  EXPECT_EQ(result.status, LlmStatus::timed_out);
  EXPECT_THAT(result.detail, HasSubstr("timeouts.connect"));
}

TEST(EndToEnd, AStallAfterTheLastEventCostsTheDrainAndNothingElse) {
  Ends ends;
  ends.model.timeouts.drain = 0.01;
  ends.server.then({Bytes{chunked_head() + chunk(kChatStream)}, Stall{}});
  const auto result = ends.ask();
  EXPECT_EQ(result.status, LlmStatus::answered) << result.detail;
  EXPECT_EQ(result.text, kText);
}

TEST(EndToEnd, AnErrorsBodyThatTricklesOrStallsIsReadForAMomentOnly) {
  const auto head = "HTTP/1.1 503 Busy\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n";
  Reply trickle = {Bytes{head}};
  for (const char letter : std::string("so much to do")) trickle.push_back(Bytes{std::string(1, letter)});
  trickle.push_back(Stall{});
  for (const Reply& reply : {trickle, Reply{Bytes{head}, Stall{}}}) {
    Ends ends;
    ends.model.timeouts = {.connect = 600,
                           .first_byte = 600,
                           .between_bytes = 600,
                           .total = 600,
                           .drain = 600,
                           .error_body = 0.02};
    ends.server.then(reply);
    const auto result = ends.ask();
    EXPECT_EQ(result.status, LlmStatus::overloaded) << result.detail;
    EXPECT_EQ(result.unsettled, Cost{}) << "it was turned away";
  }
}

TEST(EndToEnd, AnOutageIsWaitedForOverRealSockets) {
  Ends ends;
  ends.model.retries = {.attempts = 2, .base = 0.001, .cap = 0.001, .longest = 600};
  ends.model.patience = {.seconds = 600, .longest_pause = 0.01};
  for (int i = 0; i < 3; ++i) ends.server.then({Bytes{response(503, "{}")}});
  ends.server.then({Bytes{"HTTP/1.1 200 OK\r\n"}, Reset{}});
  ends.server.then({Bytes{response(200, "<html>maintenance</html>", "text/html")}});
  ends.server.then({Bytes{chunked_head() + chunk(kChatStream.substr(0, 300))}, Close{}});
  ends.server.then({stream_answer()});
  const auto result = ends.ask();
  EXPECT_TRUE(result.ok()) << result.detail;
  EXPECT_EQ(result.text, kText);
  EXPECT_EQ(result.attempts, 7);
  EXPECT_EQ(ends.server.received().size(), 7u);
}

TEST(EndToEnd, ClientsOfOneIoContextShareWhatTheyKnowOfAnOrigin) {
  Ends ends;
  ends.model.api_key_env = "RIDGELINE_TEST_NO_SUCH_KEY";
  ends.model.retries = {.attempts = 1, .base = 3600, .cap = 0.001, .longest = 600};
  ends.model.patience = {.seconds = 86400, .longest_pause = 3600};
  std::vector<EndpointState> states;
  const auto told = [&](const EndpointState& state) { states.push_back(state); };
  const auto first = make_client(ends.model, ends.io, told);
  ends.model.name = "other";
  const auto second = make_client(ends.model, ends.io, told);
  for (int i = 0; i < 3; ++i) ends.server.then({Bytes{response(503, "{}")}});
  for (int i = 0; i < 3; ++i) first->complete({.messages = {{"user", "x"}}}, ends.results.keep());
  while (states.empty()) ends.io.run_one();
  EXPECT_EQ(states[0].model, "m");
  EXPECT_EQ(states[0].why, "503");
  second->complete({.messages = {{"user", "x"}}}, ends.results.keep());
  while (states.size() < 2) ends.io.run_one();
  EXPECT_EQ(states[1].model, "other");
  EXPECT_EQ(ends.server.received().size(), 3u) << "it was not asked again";
}

TEST(EndToEnd, HugeBodiesAndHeadsAreRefused) {
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
    Ends ends;
    ends.options.limits = {.body_bytes = 32 * 1024, .head_bytes = 2048};
    ends.server.then(replies[i]);
    const auto result = ends.ask();
    EXPECT_EQ(result.status, LlmStatus::malformed) << i << ' ' << result.detail;
    EXPECT_THAT(result.detail, HasSubstr("larger than")) << i;
    EXPECT_LE(result.raw_response.size(), 64u * 1024);
  }
}

TEST(EndToEnd, ALargeAnswerUnderTheLimitIsWhole) {
  Ends ends;
  const std::string text(8 << 20, 'a');
  ends.server.then({whole_answer(text)});
  EXPECT_EQ(ends.ask().text.size(), text.size());
}

TEST(EndToEnd, WhatIsNoHttpOrOfAWrongTypeIsMalformed) {
  Ends ends;
  ends.server.then({Bytes{"SSH-2.0-OpenSSH_9.2\r\n\r\n"}, Stall{}});
  EXPECT_EQ(ends.ask().status, LlmStatus::malformed);
  ends.server.then({Bytes{response(200, "<html>please sign in</html>", "text/html")}});
  const auto page = ends.ask();
  EXPECT_EQ(page.status, LlmStatus::malformed);
  EXPECT_THAT(page.detail, HasSubstr("please sign in"));
}

TEST(EndToEnd, AJsonErrorInsideA200Stream) {
  Ends ends;
  ends.server.then({Bytes{chunked_head() +
                          chunk("data: {\"choices\":[{\"delta\":{\"content\":\"ha\"}}]}\n\n"
                                "data: {\"error\":{\"message\":\"out of memory\",\"code\":500}}\n\n") +
                          std::string(kLastChunk)}});
  const auto result = ends.ask();
  EXPECT_EQ(result.status, LlmStatus::server_error);
  EXPECT_THAT(result.detail, HasSubstr("out of memory"));
}

TEST(EndToEnd, AConnectionIsKeptAndReusedAfterEveryProperEnd) {
  for (const auto speaks : {Speaks::plain, Speaks::tls}) {
    Ends ends(speaks);
    ends.model.timeouts.drain = 600;
    ends.server.then({whole_answer("1")});
    ends.server.then({stream_answer()});
    ends.server.then({Bytes{response(500, "{}")}});
    ends.server.then({Bytes{"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"}, whole_answer("4")});
    ends.server.then({whole_answer("5", "Connection: close\r\n")});
    ends.server.then({whole_answer("6")});
    for (int i = 0; i < 6; ++i) ends.ask();
    EXPECT_EQ(ends.results.all[3].text, "4");
    std::vector<int> connections;
    for (const auto& request : ends.server.received()) connections.push_back(request.connection);
    EXPECT_EQ(connections, (std::vector<int>{1, 1, 1, 1, 1, 2}));
  }
}

TEST(EndToEnd, ARequestThatAKeptConnectionSwallowsIsAnAttemptOfItsOwn) {
  Ends ends;
  ends.model.retries.attempts = 2;
  ends.server.then({whole_answer("1")});
  ends.server.then({Close{}});  // reads the second request and leaves
  ends.server.then({whole_answer("2")});
  ends.ask();
  const auto result = ends.ask();
  EXPECT_EQ(result.text, "2") << result.detail;
  EXPECT_EQ(result.attempts, 2) << "what the server has read whole, it may have been paid for";
  EXPECT_EQ(ends.server.received().at(2).connection, 2);
}

TEST(EndToEnd, CertificatesAreVerified) {
  Ends untrusted(Speaks::tls);
  untrusted.options.trusted_pem.clear();
  const auto result = untrusted.ask();
  EXPECT_EQ(result.status, LlmStatus::connection_failed);
  EXPECT_THAT(result.detail, HasSubstr("self-signed"));
  EXPECT_THAT(result.detail, HasSubstr("SSL_CERT_FILE"));

  Ends other_name(Speaks::tls);  // trusted, and made for another host
  other_name.model.base_url = "https://127.0.0.2:" + std::to_string(other_name.server.port()) + "/v1";
  EXPECT_EQ(other_name.ask().status, LlmStatus::connection_failed);
  EXPECT_TRUE(untrusted.server.received().empty() && other_name.server.received().empty());
}

TEST(EndToEnd, HttpsGoesThroughTheProxysTunnel) {
  Ends ends;  // the proxy, which becomes the origin once the tunnel stands
  ends.model.base_url = "https://model.test/v1";
  const auto address = "http://user:p%40ss@" + ends.server.authority();
  ends.options.proxy = proxy_settings(
      [&](const char* name) { return std::string(name) == "HTTPS_PROXY" ? address.c_str() : nullptr; });
  ends.server.then({Bytes{"HTTP/1.1 200 Connection established\r\n\r\n"}, StartTls{}});
  ends.server.then({whole_answer("through")});
  ends.server.then({whole_answer("again")});
  EXPECT_EQ(ends.ask().text, "through");
  EXPECT_EQ(ends.ask().text, "again");
  const auto received = ends.server.received();
  ASSERT_EQ(received.size(), 3u);
  EXPECT_THAT(received[0].head, testing::StartsWith("CONNECT model.test:443 HTTP/1.1\r\n"));
  EXPECT_THAT(received[0].head, HasSubstr("Proxy-Authorization: Basic dXNlcjpwQHNz\r\n"));
  EXPECT_THAT(received[0].head, Not(HasSubstr(kKey)));
  EXPECT_THAT(received[1].head, HasSubstr("Host: model.test\r\n"));
  EXPECT_EQ(received[2].connection, 1) << "a tunnel is kept like any connection";
}

TEST(EndToEnd, AProxyThatRefusesIsNamedAndItsPasswordIsNot) {
  for (const auto& [status, said] :
       std::vector<std::pair<int, std::string>>{{407, "HTTPS_PROXY"}, {403, "HTTP 403"}}) {
    Ends ends;
    ends.model.base_url = "https://model.test/v1";
    const auto address = "http://user:secret@" + ends.server.authority();
    ends.options.proxy = proxy_settings(
        [&](const char* name) { return std::string(name) == "HTTPS_PROXY" ? address.c_str() : nullptr; });
    ends.server.then({Bytes{response(status, "")}});
    const auto result = ends.ask();
    EXPECT_EQ(result.status, LlmStatus::connection_failed);
    EXPECT_THAT(result.detail, HasSubstr(said));
    EXPECT_THAT(result.detail, HasSubstr(ends.server.authority()));
    EXPECT_THAT(result.detail, Not(HasSubstr("secret")));
  }
}

TEST(EndToEnd, NobodyListens) {
  Ends ends;
  const auto port = std::make_unique<FakeServer>()->port();  // gone again
  ends.model.base_url = "http://127.0.0.1:" + std::to_string(port);
  EXPECT_EQ(ends.ask().status, LlmStatus::connection_failed);
}

TEST(EndToEnd, DestroyingTheClientCancelsWhatIsOnTheWire) {
  Ends ends;
  ends.server.then({Stall{}});
  ends.server.then({Bytes{chunked_head() + chunk(kChatStream.substr(0, 200))}, Stall{}});
  ends.start();
  for (int i = 0; i < 2; ++i) ends.client->complete({.messages = {{"user", "x"}}}, ends.results.keep());
  while (ends.server.received().size() < 2) ends.io.poll();
  ends.client.reset();
  EXPECT_TRUE(ends.results.all.empty());
  ends.io.run();  // ends: nothing is left that could keep it
  ASSERT_EQ(ends.results.all.size(), 2u);
  for (const auto& result : ends.results.all) EXPECT_EQ(result.status, LlmStatus::cancelled);
}

TEST(EndToEnd, ManyAtOnceEachGetItsOwnAnswer) {
  Ends ends;
  ends.model.limits.concurrency = 8;
  for (int i = 0; i < 32; ++i) ends.server.then({stream_answer()});
  ends.start();
  for (int i = 0; i < 32; ++i) ends.client->complete({.messages = {{"user", "x"}}}, ends.results.keep());
  ends.io.run();
  ASSERT_EQ(ends.results.all.size(), 32u);
  for (const auto& result : ends.results.all) EXPECT_EQ(result.text, kText) << result.detail;
  int connections = 0;
  for (const auto& request : ends.server.received()) connections = std::max(connections, request.connection);
  EXPECT_LE(connections, 8);
}

TEST(EndToEnd, TheFactoryComposesAClientThatAnswers) {
  Ends ends;
  ends.server.then({whole_answer("made")});
  ends.model.api_key_env = "RIDGELINE_TEST_NO_SUCH_KEY";
  ends.client = make_client(ends.model, ends.io);
  EXPECT_EQ(ends.ask().text, "made");
  EXPECT_THAT(ends.server.received().at(0).head, Not(HasSubstr("Authorization")));
}

}  // namespace
}  // namespace ridgeline::llm
