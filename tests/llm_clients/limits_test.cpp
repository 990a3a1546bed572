// Server hints and prices: numbers in, decisions out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm_clients/prices.hpp"
#include "llm_clients/retry_hints.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

const WallTime kWall{std::chrono::seconds(784111777)};  // Sun, 06 Nov 1994 08:49:37 GMT

std::optional<double> wait_from(HttpHeaders headers, int status = 429) {
  return server_wait({status, std::move(headers)}, kWall);
}

TEST(RetryHints, ReadEveryFormOfRetryAfter) {
  EXPECT_EQ(wait_from({}), std::nullopt);
  EXPECT_EQ(wait_from({{"retry-after", "7"}}), 7);
  EXPECT_EQ(wait_from({{"Retry-After", "0"}}), 0);
  EXPECT_EQ(wait_from({{"Retry-After", "7"}, {"retry-after-ms", "250"}}), 0.25);
  EXPECT_EQ(wait_from({{"Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT"}}), 60);
  EXPECT_EQ(wait_from({{"Retry-After", "Sun, 06 Nov 1994 08:48:37 GMT"}}), 0);
  EXPECT_EQ(wait_from({{"Retry-After", "7"}}, 503), 7);
  for (const char* bad : {"soon", "-1", "1e999", "nan", "Sun, 99 Nov 1994 08:50:37 GMT", "7 seconds"})
    EXPECT_EQ(wait_from({{"Retry-After", bad}}), std::nullopt) << bad;
}

TEST(RetryHints, ReadTheResetOfTheExhaustedLimit) {
  EXPECT_EQ(wait_from({{"x-ratelimit-remaining-requests", "0"},
                       {"x-ratelimit-reset-requests", "1.5s"},
                       {"x-ratelimit-remaining-tokens", "100"},
                       {"x-ratelimit-reset-tokens", "6m0s"}}),
            1.5);
  EXPECT_EQ(wait_from({{"anthropic-ratelimit-tokens-remaining", "0"},
                       {"anthropic-ratelimit-tokens-reset", "1994-11-06T08:50:07Z"}}),
            30);
  EXPECT_EQ(wait_from({{"x-ratelimit-remaining-requests", "0"}, {"x-ratelimit-reset-requests", "9s"}}, 500),
            std::nullopt);
}

TEST(RetryHints, ParseDurationsAndDates) {
  EXPECT_EQ(parse_duration("20ms"), 0.02);
  EXPECT_EQ(parse_duration("6m0s"), 360);
  EXPECT_EQ(parse_duration("1h2m3s"), 3723);
  EXPECT_EQ(parse_duration("1.5"), 1.5);
  for (const char* bad : {"", "s", "1x", "-1s"}) EXPECT_EQ(parse_duration(bad), std::nullopt) << bad;
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), kWall);
  EXPECT_EQ(parse_rfc3339("1994-11-06T08:49:37Z"), kWall);
  EXPECT_EQ(parse_rfc3339("1994-11-06T10:49:37.500+02:00"), kWall + 500ms);
  for (const char* bad :
       {"", "1994-13-06T08:49:37Z", "1994-11-06", "1994-11-06T08:49:37", "1994-11-06T08:49:37+2"})
    EXPECT_EQ(parse_rfc3339(bad), std::nullopt) << bad;
}

TEST(Prices, CacheWritesHaveTheirOwnPrice) {
  const Usage usage{
      .input_tokens = 1000, .output_tokens = 100, .cached_input_tokens = 400, .cache_write_tokens = 500};
  EXPECT_DOUBLE_EQ(cost_usd(usage, {.input = 4, .cached_input = 0.4, .cache_write = 5, .output = 15}),
                   (100 * 4 + 400 * 0.4 + 500 * 5 + 100 * 15) / 1e6);
  EXPECT_DOUBLE_EQ(cost_usd(usage, {.input = 4, .output = 15}), (1000 * 4 + 100 * 15) / 1e6);
  // A provider that reports more parts than there is whole is not believed beyond the whole.
  EXPECT_DOUBLE_EQ(cost_usd({.input_tokens = 10, .cached_input_tokens = 400, .cache_write_tokens = 500},
                            {.input = 4, .cached_input = 1, .cache_write = 5}),
                   10 / 1e6);
}

TEST(Prices, BoundTheCostBeyondTheReportedUsage) {
  Model model;
  model.max_output_tokens = 1000;
  model.prices = {.input = 1, .output = 2};
  const LlmRequest request{.messages = {{"user", std::string(500, 'x')}}};
  const auto worst = worst_case(model, request);
  Answer answer;
  EXPECT_EQ(unsettled_cost(model, request, answer), worst) << "an answer whose cost nobody reported";
  answer.usage = {.input_tokens = 100, .output_tokens = 10, .reported = true};
  const auto rest = unsettled_cost(model, request, answer);
  EXPECT_EQ(rest.tokens, worst.tokens - 110);
  EXPECT_DOUBLE_EQ(rest.usd, worst.usd - 120 / 1e6);
  answer.usage.output_tokens = 1'000'000;  // more than could be: nothing is given back
  EXPECT_EQ(unsettled_cost(model, request, answer), Cost{});
  answer.usage_is_final = true;
  answer.usage.output_tokens = 10;
  EXPECT_EQ(unsettled_cost(model, request, answer), Cost{});
  answer.usage_is_final = false;
  answer.failure = Failure{.may_be_billed = false};
  EXPECT_EQ(unsettled_cost(model, request, answer), Cost{});
  answer.failure = Failure{.may_be_billed = true};
  EXPECT_EQ(unsettled_cost(model, request, answer).tokens, worst.tokens - 110);
}

TEST(Prices, CachedInputHasItsOwnPriceOrThePriceOfInput) {
  const Usage usage{
      .input_tokens = 1000, .output_tokens = 100, .cached_input_tokens = 400, .reasoning_tokens = 50};
  EXPECT_DOUBLE_EQ(cost_usd(usage, {.input = 3, .cached_input = 0.3, .output = 15}),
                   (600 * 3 + 400 * 0.3 + 100 * 15) / 1e6);
  EXPECT_DOUBLE_EQ(cost_usd(usage, {.input = 3, .cached_input = {}, .output = 15}),
                   (1000 * 3 + 100 * 15) / 1e6);
  EXPECT_DOUBLE_EQ(cost_usd(usage, {}), 0);
}

}  // namespace
}  // namespace ridgeline::llm
