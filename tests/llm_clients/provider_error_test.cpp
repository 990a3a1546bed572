// Tests how errors of providers, routers and local servers are read: their words in, status and blame out.
#include "llm_clients/provider_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ridgeline::llm {
namespace {

using testing::HasSubstr;

Failure failure(int status, std::string_view body = "", HttpHeaders headers = {}) {
  return failure_of_status({status, std::move(headers)}, body, "http://h/v1", {});
}

std::string error(const std::string& message, const std::string& more = "") {
  return nlohmann::json({{"error", {{"message", message}}}})
      .dump()
      .insert(10, more.empty() ? "" : more + ",");
}

TEST(ProviderError, MapsEachStatus) {
  struct Case {
    int http;
    LlmStatus status;
    Blame blame;
  };
  for (const auto& [http, status, blame] : std::vector<Case>{{400, LlmStatus::bad_request, Blame::request},
                                                             {401, LlmStatus::unauthorized, Blame::account},
                                                             {402, LlmStatus::unauthorized, Blame::account},
                                                             {403, LlmStatus::unauthorized, Blame::denied},
                                                             {404, LlmStatus::not_found, Blame::denied},
                                                             {408, LlmStatus::timed_out, Blame::endpoint},
                                                             {409, LlmStatus::server_error, Blame::endpoint},
                                                             {413, LlmStatus::bad_request, Blame::request},
                                                             {422, LlmStatus::bad_request, Blame::request},
                                                             {425, LlmStatus::server_error, Blame::endpoint},
                                                             {429, LlmStatus::rate_limited, Blame::endpoint},
                                                             {500, LlmStatus::server_error, Blame::endpoint},
                                                             {502, LlmStatus::server_error, Blame::endpoint},
                                                             {503, LlmStatus::overloaded, Blame::endpoint},
                                                             {504, LlmStatus::timed_out, Blame::endpoint},
                                                             {529, LlmStatus::overloaded, Blame::endpoint},
                                                             {301, LlmStatus::not_found, Blame::denied},
                                                             {308, LlmStatus::not_found, Blame::denied}}) {
    const auto seen = failure(http, "{}");
    EXPECT_EQ(seen.status, status) << http;
    EXPECT_EQ(seen.blame, blame) << http;
    EXPECT_EQ(seen.why, std::to_string(http));
    EXPECT_FALSE(seen.may_be_billed) << http;
  }
}

TEST(ProviderError, RecognizesARefusedKeyOrAccount) {
  for (const auto& [http, body] : std::vector<std::pair<int, std::string>>{
           {429, R"({"error":{"message":"no credit","code":"insufficient_quota"}})"},
           {429, R"({"error":{"message":"x","type":"exceeded_current_quota_error"}})"},
           {400, R"([{"error":{"code":400,"status":"UNAUTHENTICATED","message":"bad key"}}])"},
           {400, R"({"error":{"code":400,"status":"INVALID_ARGUMENT","message":"x",
                     "details":[{"@type":"t","reason":"API_KEY_INVALID"}]}})"},
           {400, error("API key not valid. Please pass a valid API key.")},
           {400, error("Your credit balance is too low to access the Anthropic API.")},
           {400, error("User location is not supported for the API use.")},
           {403, error("Your API key was reported as leaked. Please use another API key.")},
           {403, R"({"error":{"code":"unsupported_country_region_territory","message":"x"}})"},
           {403, error("Key limit exceeded (total limit).")}}) {
    EXPECT_EQ(failure(http, body).blame, Blame::account) << body;
  }
  EXPECT_EQ(failure(429, R"({"error":{"code":"insufficient_quota"}})").status, LlmStatus::rate_limited);
  EXPECT_EQ(failure(400, error("API key not valid.")).status, LlmStatus::unauthorized);
  // Gemini says this of a limit that the next minute lifts.
  const auto minute = failure(429, R"({"error":{"status":"RESOURCE_EXHAUSTED",
      "message":"You exceeded your current quota, please check your plan and billing details."}})");
  EXPECT_EQ(minute.blame, Blame::endpoint);
}

TEST(ProviderError, RecognizesATooLongPromptFromEveryServer) {
  for (const auto& [http, body] : std::vector<std::pair<int, std::string>>{
           {400, R"({"error":{"code":"context_length_exceeded","message":"x"}})"},
           {400, error("This model's maximum context length is 8192 tokens. However, you requested 9000")},
           {400, R"({"type":"error","error":{"type":"invalid_request_error",
                     "message":"prompt is too long: 210000 tokens > 200000 maximum"}})"},
           {400, R"({"type":"error","error":{"type":"invalid_request_error",
                     "message":"input length and `max_tokens` exceed context limit: 1 + 2 > 3"}})"},
           {400, R"({"error":{"code":400,"status":"INVALID_ARGUMENT","message":
                     "The input token count (9) exceeds the maximum number of tokens allowed (8)."}})"},
           {400,
            R"({"object":"error","message":
                     "The decoder prompt (length 9) is longer than the maximum model length of 8.",
                     "type":"BadRequestError","code":400})"},
           {400, error("The input (9 tokens) is longer than the model's context length (8 tokens).")},
           {400, R"({"error":{"code":400,"type":"exceed_context_size_error","message":"x"}})"},
           {500, error("the request exceeds the available context size. try increasing it")},
           {400, R"({"error":{"code":400,"message":"Provider returned error","metadata":{"raw":
                     "{\"error\":\"This endpoint's maximum context length is 8 tokens\"}"}}})"}}) {
    const auto seen = failure(http, body);
    EXPECT_EQ(seen.status, LlmStatus::context_exceeded) << body;
    EXPECT_EQ(seen.blame, Blame::request) << body;
  }
}

TEST(ProviderError, BlamesTheRequestForAFlaggedPrompt) {
  const auto moderated = failure(403, R"({"error":{"code":403,"message":"needs moderation",
      "metadata":{"reasons":["violence"],"flagged_input":"..."}}})");
  EXPECT_EQ(moderated.status, LlmStatus::refused);
  EXPECT_EQ(moderated.blame, Blame::request);
  EXPECT_EQ(failure(400, R"({"error":{"code":"content_policy_violation"}})").status, LlmStatus::refused);
}

TEST(ProviderError, AnUnknownParameterIsDenied) {
  const auto seen = failure(400, R"({"error":{"param":"max_tokens","code":"unsupported_parameter","message":
      "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}})");
  EXPECT_EQ(seen.blame, Blame::denied);
  EXPECT_EQ(seen.rejects, BodyPart::max_tokens);
  EXPECT_EQ(failure(400, error("Unknown name \"seed\" at 'generation_config'")).rejects, BodyPart::seed);
  EXPECT_EQ(failure(400, error("Extra inputs are not permitted", R"("param":"seed")")).rejects,
            BodyPart::seed);
  EXPECT_EQ(failure(400, error("the seeds of doubt")).rejects, BodyPart::none);
}

TEST(ProviderError, ReadsWaitsAndWordsFromTheBody) {
  EXPECT_EQ(failure(429, R"({"error":{"details":[{"@type":"x"},{"retryDelay":"37s"}]}})").wait_s, 37);
  EXPECT_THAT(failure(500, "<html>\xFF nginx").detail, HasSubstr("nginx"));
  EXPECT_THAT(failure(404, R"({"detail":"Not Found"})").detail, HasSubstr("Not Found"));
  EXPECT_THAT(failure(302, "", {{"Location", "https://x/"}}).detail, HasSubstr("https://x/"));
}

TEST(ProviderError, AnErrorInsideAStreamMayBeBilled) {
  const auto seen = failure_of_error(nlohmann::json::parse(R"({"message":"boom","code":503})"));
  EXPECT_EQ(seen.status, LlmStatus::overloaded);
  EXPECT_EQ(seen.blame, Blame::endpoint);
  EXPECT_EQ(seen.why, "503");
  EXPECT_TRUE(seen.may_be_billed);
  EXPECT_EQ(failure_of_error("boom").blame, Blame::endpoint);
  EXPECT_EQ(failure_of_error(nlohmann::json::parse(R"({"code":"invalid_api_key"})")).blame, Blame::account);
}

TEST(ProviderError, ARequestThatWasNotSentWholeIsNotBilled) {
  for (const auto kind :
       {HttpEndKind::connect_failed, HttpEndKind::tls_failed, HttpEndKind::connect_timeout}) {
    const auto seen = failure_of_end({kind, "so it was"});
    EXPECT_FALSE(seen.may_be_billed) << to_string(kind);
    EXPECT_EQ(seen.blame, Blame::endpoint) << to_string(kind);
    EXPECT_FALSE(seen.why.empty());
  }
  for (const auto kind : {HttpEndKind::cut_short, HttpEndKind::first_byte_timeout, HttpEndKind::stalled,
                          HttpEndKind::total_timeout, HttpEndKind::not_http}) {
    EXPECT_TRUE(failure_of_end({kind, "so it was"}).may_be_billed) << to_string(kind);
    EXPECT_EQ(failure_of_end({kind, "so it was"}).blame, Blame::endpoint) << to_string(kind);
    EXPECT_EQ(failure_of_end({kind, "x"}).opens_breaker, kind == HttpEndKind::total_timeout);
    EXPECT_FALSE(failure_of_end({kind, "so it was", "", false}).may_be_billed) << to_string(kind);
  }
  EXPECT_EQ(failure_of_end({HttpEndKind::connect_failed, "x", "connection refused"}).why,
            "connection refused");
}

}  // namespace
}  // namespace ridgeline::llm
