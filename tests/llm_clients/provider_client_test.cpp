#include "llm_clients/provider_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/llm_clients/client_rig.hpp"

namespace ridgeline::llm {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kAwkwardKey = "sk-very/secret\"key-123";

using Rig = test::ClientRig;

TEST(ProviderClient, ReturnsAnAnswerWithItsCostAndRawTexts) {
  Rig rig;
  rig.ask();
  ASSERT_EQ(rig.wire.size(), 1u);
  EXPECT_TRUE(rig.results.all.empty());
  rig.clock.advance(1.5);
  rig.wire[0].answer_text("hi");
  EXPECT_TRUE(rig.results.all.empty()) << "a callback must not run inside of a handler";
  rig.clock.run();
  ASSERT_EQ(rig.results.all.size(), 1u);
  const auto& result = rig.results.all[0];
  EXPECT_EQ(result.status, LlmStatus::answered);
  EXPECT_EQ(result.text, "hi");
  EXPECT_EQ(result.usage, (Usage{10, 20, 0, 0, 0, true}));
  EXPECT_DOUBLE_EQ(result.usd, (10 * 2 + 20 * 10) / 1e6);
  EXPECT_DOUBLE_EQ(result.seconds, 1.5);
  EXPECT_EQ(result.attempts, 1);
  EXPECT_THAT(result.raw_request, HasSubstr("hello"));
  EXPECT_THAT(result.raw_response, HasSubstr("\"choices\""));
}

TEST(ProviderClient, ATruncatedAnswerSaysHowToGetMore) {
  Rig rig;
  rig.ask();
  rig.turn_away(0, 200, {{"Content-Type", "application/json"}},
                R"({"choices":[{"message":{"content":"ha"},"finish_reason":"length"}]})");
  EXPECT_EQ(rig.results.all.at(0).status, LlmStatus::truncated);
  EXPECT_TRUE(rig.results.all[0].ok());
  EXPECT_THAT(rig.results.all[0].detail, HasSubstr("max_output_tokens"));
}

TEST(ProviderClient, SendsARequestOnceIfItCannotSucceed) {
  using enum Fault;
  const std::vector<std::tuple<int, LlmStatus, Fault>> cases = {
      {400, LlmStatus::bad_request, request},  {401, LlmStatus::unauthorized, account},
      {402, LlmStatus::unauthorized, account}, {403, LlmStatus::unauthorized, account},
      {404, LlmStatus::not_found, account},    {413, LlmStatus::bad_request, request},
      {422, LlmStatus::bad_request, request},  {301, LlmStatus::not_found, account},
      {307, LlmStatus::not_found, account}};
  for (const auto& [http, status, fault] : cases) {
    Rig rig;
    rig.model.patience = {};  // there is nothing to wait for
    rig.ask();
    rig.turn_away(0, http, {{"Location", "https://elsewhere/"}});
    ASSERT_EQ(rig.results.all.size(), 1u) << http;
    EXPECT_EQ(rig.results.all[0].status, status) << http;
    EXPECT_EQ(rig.results.all[0].fault, fault) << http;
    EXPECT_EQ(rig.results.all[0].attempts, 1);
    EXPECT_THAT(rig.results.all[0].detail, HasSubstr("HTTP " + std::to_string(http)));
    EXPECT_EQ(rig.failed.size(), fault == account ? 1u : 0u) << "told once: here or in the result";
    rig.clock.advance(1000);
    EXPECT_EQ(rig.wire.size(), 1u) << http;
  }
}

TEST(ProviderClient, RetriesWithGrowingWaitsIfARequestMaySucceed) {
  const std::vector<std::pair<int, LlmStatus>> cases = {
      {429, LlmStatus::rate_limited}, {500, LlmStatus::server_error}, {502, LlmStatus::server_error},
      {503, LlmStatus::overloaded},   {504, LlmStatus::timed_out},    {529, LlmStatus::overloaded}};
  for (const auto& [http, status] : cases) {
    Rig rig;
    rig.model.retries = {.attempts = 3, .base = 1, .cap = 60, .longest = 600};
    rig.ask();
    rig.turn_away(0, http);
    rig.clock.advance(0.49);
    EXPECT_EQ(rig.wire.size(), 1u) << http;
    rig.clock.advance(0.02);  // half of base: the random number is 0.5
    ASSERT_EQ(rig.wire.size(), 2u) << http;
    rig.turn_away(1, http);
    rig.clock.advance(0.99);
    EXPECT_EQ(rig.wire.size(), 2u) << http;
    rig.clock.advance(0.02);
    ASSERT_EQ(rig.wire.size(), 3u) << http;
    rig.turn_away(2, http);
    ASSERT_EQ(rig.results.all.size(), 1u) << http;
    EXPECT_EQ(rig.results.all[0].status, status) << http;
    EXPECT_EQ(rig.results.all[0].attempts, 3);
    EXPECT_EQ(rig.results.all[0].fault, Fault::endpoint);
    EXPECT_THAT(rig.results.all[0].detail, HasSubstr("given up after 3 attempts"));
    EXPECT_EQ(rig.failed.size(), 3u);
  }
}

TEST(ProviderClient, WithoutPatienceRetryAfterHoldsBackEveryCallOfTheModel) {
  Rig rig;
  rig.ask("first");
  rig.turn_away(0, 429, {{"Retry-After", "30"}});
  rig.ask("second");
  rig.clock.advance(29.9);
  EXPECT_EQ(rig.wire.size(), 1u);
  rig.clock.advance(0.2);
  ASSERT_EQ(rig.wire.size(), 2u);  // the one that was turned away comes half of `base` later
  EXPECT_THAT(rig.wire[1].request.body, HasSubstr("second"));
  rig.clock.advance(0.5);
  ASSERT_EQ(rig.wire.size(), 3u);
  EXPECT_THAT(rig.wire[2].request.body, HasSubstr("first"));
  rig.wire[2].answer_text("ok");
  rig.clock.run();
  EXPECT_EQ(rig.results.all.at(0).attempts, 2);
}

TEST(ProviderClient, GivesUpIfTheServerAsksForTooLongAWait) {
  Rig rig;
  rig.ask();
  rig.turn_away(0, 429, {{"Retry-After", "601"}});
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_THAT(rig.results.all[0].detail, HasSubstr("a wait of 10 min"));
}

TEST(ProviderClient, KeepsTheConcurrencyLimitAndTheOrder) {
  Rig rig;
  rig.model.limits.concurrency = 2;
  for (const char* text : {"q0", "q1", "q2", "q3"}) rig.ask(text);
  ASSERT_EQ(rig.wire.size(), 2u);
  rig.wire[1].answer_text("a");
  rig.clock.run();
  ASSERT_EQ(rig.wire.size(), 3u);
  EXPECT_THAT(rig.wire[2].request.body, HasSubstr("q2"));
  rig.turn_away(0, 500);  // waiting for the next try takes no place
  ASSERT_EQ(rig.wire.size(), 4u);
  EXPECT_THAT(rig.wire[3].request.body, HasSubstr("q3"));
}

TEST(ProviderClient, KeepsTheLimitOfRequestsAMinute) {
  Rig rig;
  rig.model.limits = {.requests_per_minute = 2, .tokens_per_minute = 0, .concurrency = 0};
  for (int i = 0; i < 5; ++i) rig.ask();
  EXPECT_EQ(rig.wire.size(), 2u);
  rig.clock.advance(59.9);
  EXPECT_EQ(rig.wire.size(), 2u);
  rig.clock.advance(0.2);
  EXPECT_EQ(rig.wire.size(), 4u);
  rig.clock.advance(60);
  EXPECT_EQ(rig.wire.size(), 5u);
}

TEST(ProviderClient, RemovesTheKeyFromEveryText) {
  // A server that echoes the key in every shape: as it is, JSON-escaped and percent-encoded.
  const std::string escaped = R"(sk-very\/secret\"key-123)";
  const std::string half_escaped = R"(sk-very/secret\"key-123)";
  const std::string percent = "sk-very%2Fsecret%22key-123";
  const std::string echo = escaped + ' ' + half_escaped + ' ' + percent;
  const HttpHeaders json = {{"Content-Type", "application/json"}};
  const std::vector<std::tuple<int, HttpHeaders, std::string>> answers = {
      {200, json,
       R"({"model":")" + echo + R"(","choices":[{"message":{"content":")" + echo + R"(","reasoning":")" +
           echo + R"("},"finish_reason":")" + echo + R"("}]})"},
      {200, json, R"({"error":{"message":")" + echo + R"("}})"},
      {401, json, R"({"error":{"message":"Incorrect API key provided: )" + echo + R"("}})"},
      {500, {{"Content-Type", "text/plain"}}, kAwkwardKey},
      {302, {{"Location", "https://x/?key=" + percent + kAwkwardKey}}, ""},
      {200, {{"Content-Type", "text/html" + kAwkwardKey}}, kAwkwardKey},
  };
  for (const auto& [status, headers, body] : answers) {
    Rig rig;
    rig.model.retries.attempts = 1;
    rig.ask();
    ASSERT_EQ(find_header(rig.wire[0].request.headers, "Authorization"), "Bearer " + kAwkwardKey);
    rig.turn_away(0, status, headers, body);
    const auto& result = rig.results.all.at(0);
    for (const auto& text : {result.detail, result.text, result.reasoning, result.finish_reason,
                             result.provider_model, result.raw_request, result.raw_response})
      EXPECT_THAT(text, Not(HasSubstr("key-123"))) << status;
    EXPECT_THAT(result.detail + result.text + result.raw_response, HasSubstr("[api key]")) << status;
  }
}

TEST(ProviderClient, DestructionCancelsAllRequests) {
  Rig rig;
  rig.model.limits.concurrency = 2;
  for (int i = 0; i < 4; ++i) rig.ask();
  rig.turn_away(0, 500);  // now: one backing off, two under way, one in the queue
  ASSERT_EQ(rig.wire.size(), 3u);
  rig.client.reset();
  EXPECT_TRUE(rig.results.all.empty()) << "the callbacks are posted";
  rig.clock.advance(1000);
  ASSERT_EQ(rig.results.all.size(), 4u);
  for (const auto& result : rig.results.all) EXPECT_EQ(result.status, LlmStatus::cancelled);
  EXPECT_EQ(rig.wire.size(), 3u);
}

TEST(ProviderClient, ACallbackMaySendAnotherRequest) {
  Rig rig;
  rig.start();
  LlmClient& client = *rig.client;
  client.complete({.messages = {{"user", "a"}}},
                  [&](LlmResult) { client.complete({.messages = {{"user", "b"}}}, rig.results.keep()); });
  rig.clock.run();
  rig.wire.at(0).answer_text("1");
  rig.clock.run();
  rig.wire.at(1).answer_text("2");
  rig.clock.run();
  EXPECT_EQ(rig.results.all.at(0).text, "2");
}

}  // namespace
}  // namespace ridgeline::llm
