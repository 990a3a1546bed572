#include "engine/campaign/model_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "engine/yaml/overrides.hpp"

namespace ridgeline::campaign {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<llm::Model> read_all(const std::string& text, const std::vector<std::string>& overrides = {}) {
  auto document = yaml::Document::from_text("models:\n" + text, "trial.yaml");
  yaml::apply_overrides(document, overrides);
  auto root = document.root().map("campaign");
  return read_models(root.map("models"));
}

/// One entry "m" of openai_chat with `more` keys.
llm::Model read(const std::string& more, const std::string& provider = "openai_chat") {
  return read_all("  m: {provider: " + provider + ", id: x, " + more + "}\n").at(0);
}

std::string error_of(const std::string& more, const std::string& provider = "openai_chat",
                     const std::vector<std::string>& overrides = {}) {
  try {
    read_all("  m: {provider: " + provider + ", id: x, " + more + "}\n", overrides);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

TEST(ModelReader, ReadsEveryKeyOfAnEntry) {
  const auto model = read(R"(base_url: "https://x/openai/deployments/d?api-version=2024-10-21",
      headers: {api-key: "${AZURE_KEY}", X-Title: kernels}, seed: false, stream: false,
      max_tokens_field: max_completion_tokens, key_command: [gcloud, auth, print-access-token],
      key_refresh: 1800, patience: {seconds: 7200, longest_pause: 60}, temperature: 0.5,
      timeouts: {connect: 1, first_byte: 2, between_bytes: 3, total: 4},
      retries: {attempts: 2, base: 0.5, cap: 3, longest: 4},
      limits: {requests_per_minute: 1, tokens_per_minute: 2, concurrency: 3},
      prices: {input: 1, cached_input: 0.1, cache_write: 1.25, output: 5}, extra: {top_k: 5})");
  EXPECT_EQ(model.headers, (std::vector<std::pair<std::string, std::string>>{{"api-key", "${AZURE_KEY}"},
                                                                             {"X-Title", "kernels"}}));
  EXPECT_FALSE(model.send_seed);
  EXPECT_FALSE(model.stream);
  EXPECT_EQ(model.max_tokens_field, llm::MaxTokensField::max_completion_tokens);
  EXPECT_EQ(model.key_command, (std::vector<std::string>{"gcloud", "auth", "print-access-token"}));
  EXPECT_EQ(model.key_refresh, 1800);
  EXPECT_EQ(model.patience.seconds, 7200);
  EXPECT_EQ(model.patience.longest_pause, 60);
  EXPECT_EQ(model.prices.cache_write, 1.25);
  EXPECT_EQ(model.limits.concurrency, 3);
  EXPECT_EQ(model.retries.attempts, 2);
  EXPECT_EQ(model.timeouts.total, 4);
  EXPECT_FALSE(read("cache: false", "anthropic").cache);
  EXPECT_TRUE(read("stream: true", "anthropic").cache);
}

TEST(ModelReader, AnthropicsCacheWritesCostAQuarterMoreThanInputUnlessNamed) {
  EXPECT_EQ(read("prices: {input: 4}", "anthropic").prices.cache_write, 5);
  EXPECT_EQ(read("prices: {input: 4, cache_write: 8}", "anthropic").prices.cache_write, 8);
  EXPECT_EQ(read("prices: {input: 4}").prices.cache_write, std::nullopt);
}

TEST(ModelReader, PatienceIsSecondsOrAMap) {
  EXPECT_EQ(read("patience: 0").patience.seconds, 0);
  EXPECT_EQ(read("patience: 60").patience.longest_pause, 900);
  EXPECT_EQ(read("patience: {longest_pause: 5}").patience.seconds, 6 * 3600);
  EXPECT_THAT(error_of("patience: soon"), HasSubstr("must be a number"));
  EXPECT_THAT(error_of("patience: -1"), HasSubstr("'models.m.patience'"));
  EXPECT_THAT(error_of("patience: {second: 5}"), HasSubstr("did you mean 'seconds'?"));
}

TEST(ModelReader, RefusesAnAddressBesideAListOfEndpoints) {
  const auto model =
      read("endpoints: [{base_url: 'http://a/v1'}, {base_url: 'http://b/v1', api_key_env: B}]");
  ASSERT_EQ(model.endpoints.size(), 2u);
  EXPECT_EQ(model.endpoints[1].base_url, "http://b/v1");
  EXPECT_EQ(model.endpoints[1].api_key_env, "B");
  EXPECT_THAT(error_of("endpoints: []"), HasSubstr("names none"));
  EXPECT_THAT(error_of("base_url: 'http://a', endpoints: [{base_url: 'http://b'}]"),
              HasSubstr("put that address with its key into the list"));
  EXPECT_THAT(error_of("endpoints: [{base_urll: 'http://b'}]"), HasSubstr("did you mean 'base_url'?"));
  EXPECT_THAT(error_of("endpoints: [{base_url: 'htp://b'}]"), HasSubstr("https:// or http://"));
  EXPECT_THAT(error_of("api_key_env: A, key_command: [x]"), HasSubstr("name one source of the key"));
  EXPECT_THAT(error_of("api_key_env: A, api_key_file: f"), HasSubstr("name one place"));
  EXPECT_THAT(error_of("key_command: []"), HasSubstr("names no program"));
  EXPECT_THAT(error_of("key_refresh: 5"), HasSubstr("belongs to key_command"));
}

TEST(ModelReader, RefusesAWrongAddressWithItsPlace) {
  EXPECT_THAT(error_of("base_url: 'htp://x'"), HasSubstr("trial.yaml:2:"));
  EXPECT_THAT(error_of("base_url: 'htp://x'"), HasSubstr("https:// or http://"));
  const auto password =
      error_of("base_url: 'http://a'", "openai_chat", {"models.m.base_url=https://user:hunter2@h/"});
  EXPECT_THAT(password, HasSubstr("--set models.m.base_url"));
  EXPECT_THAT(password, Not(HasSubstr("hunter2")));
}

TEST(ModelReader, RefusesExtraKeysThatTheEngineWritesItself) {
  for (const char* key : {"messages", "model", "contents", "prompt", "system", "stream", "max_tokens",
                          "max_completion_tokens", "n"}) {
    const auto error = error_of("extra: {" + std::string(key) + ": 1}");
    EXPECT_THAT(error, HasSubstr("trial.yaml:2:")) << key;
    EXPECT_THAT(error, HasSubstr("'" + std::string(key) + "'"));
  }
  EXPECT_THAT(error_of("extra: {generationConfig: {maxOutputTokens: 5}}", "gemini"),
              HasSubstr("set max_output_tokens"));
  EXPECT_EQ(error_of("extra: {generationConfig: {topK: 5}}", "gemini"), "");
  EXPECT_THAT(error_of("extra: [1]"), HasSubstr("must be a map"));
}

TEST(ModelReader, RefusesAKeyInPlaceOfAVariableAndDoesNotShowIt) {
  for (const char* key :
       {"sk-proj-abcdefghijklmnop", "AIzaSyA-1234567890abcdefghijk", "gsk_0123456789abcdefghij",
        "3f9a7c5e1b2d4f6a8c0e9b7d5f3a1c2e", "Zk39fQx71LmN0pRsT5uV", "not a name"}) {
    const auto in_file = error_of("api_key_env: '" + std::string(key) + "'");
    EXPECT_THAT(in_file, HasSubstr("'models.m.api_key_env'")) << key;
    EXPECT_THAT(in_file, Not(HasSubstr(key)));
    const auto set = error_of("stream: true", "openai_chat", {"models.m.api_key_env=" + std::string(key)});
    EXPECT_THAT(set, HasSubstr("models.m.api_key_env")) << key;
    EXPECT_THAT(set, Not(HasSubstr(key)));
  }
  const auto in_header = error_of("headers: {Authorization: Bearer sk-abcdefgh12345678}");
  EXPECT_THAT(in_header, HasSubstr("${NAME}"));
  EXPECT_THAT(in_header, Not(HasSubstr("sk-abcdefgh")));
  EXPECT_THAT(error_of("base_url: 'https://h/v1?key=abc'"), HasSubstr("carries a key"));
  for (const char* name : {"OPENAI_API_KEY", "MY_PROVIDER_KEY_2", "key", "TeamKey7"})
    EXPECT_EQ(error_of("api_key_env: " + std::string(name)), "") << name;
}

TEST(ModelReader, RefusesHeadersThatTheClientWrites) {
  EXPECT_THAT(error_of("headers: {Host: x}"), HasSubstr("the client writes itself"));
  EXPECT_THAT(error_of("headers: {'a b': x}"), HasSubstr("no name of a header"));
  EXPECT_THAT(error_of("headers: {X: \"a\\r\\nb\"}"), HasSubstr("line end"));
}

TEST(ModelReader, Batches) {
  const auto model = read("batch: true, batch_window: 0.5", "anthropic");
  EXPECT_TRUE(model.batch);
  EXPECT_DOUBLE_EQ(model.batch_window, 0.5);
  EXPECT_FALSE(read("batch: false", "gemini").batch);
  const std::string two = "endpoints: [{base_url: 'http://a'}, {base_url: 'http://b'}], batch: ";
  EXPECT_THAT(error_of(two + "true"), HasSubstr("one address"));
  EXPECT_EQ(error_of(two + "false"), "");
}

TEST(ModelReader, RefusesKeysOfOtherProviders) {
  EXPECT_THAT(error_of("batch: true", "gemini"), HasSubstr("batch belongs to openai_chat"));
  EXPECT_THAT(error_of("cache: true"), HasSubstr("cache belongs to anthropic"));
  EXPECT_THAT(error_of("max_tokens_field: max_tokens", "gemini"), HasSubstr("belongs to openai_chat"));
  EXPECT_THAT(error_of("max_tokens_field: max_token"), HasSubstr("did you mean 'max_tokens'?"));
  EXPECT_THAT(error_of("api_key: sk-x"), HasSubstr("unknown key 'api_key'"));
}

}  // namespace
}  // namespace ridgeline::campaign
