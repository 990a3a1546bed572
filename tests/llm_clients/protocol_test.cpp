// The requests that each protocol writes.
#include "llm_clients/protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.hpp"
#include "llm_clients/prompt_format.hpp"

namespace ridgeline::llm {
namespace {

using nlohmann::json;

Model model_of(Provider provider) {
  Model model;
  model.name = "m";
  model.provider = provider;
  model.id = "the-id";
  return model;
}

const LlmRequest kRequest{
    .messages = {{"system", "be brief"}, {"user", "hello"}, {"assistant", "hi"}, {"user", "go on"}},
    .temperature = 0.5,
    .max_output_tokens = 100};

json body_of(const Model& model, const LlmRequest& request = kRequest) {
  return json::parse(http_request(model, request, "key").body);
}

TEST(Protocol, BuildsEachProvidersUrlFromEveryUsualBase) {
  const auto url = [](Provider provider, const char* base, bool stream = true) {
    auto model = model_of(provider);
    model.base_url = base;
    model.stream = stream;
    return protocol_of(provider).url(model);
  };
  EXPECT_EQ(url(Provider::openai_chat, ""), "https://api.openai.com/v1/chat/completions");
  EXPECT_EQ(url(Provider::openai_chat, "http://h:1/v1/"), "http://h:1/v1/chat/completions");
  EXPECT_EQ(url(Provider::openai_completions, "http://h:1/v1"), "http://h:1/v1/completions");
  EXPECT_EQ(url(Provider::anthropic, ""), "https://api.anthropic.com/v1/messages");
  EXPECT_EQ(url(Provider::anthropic, "http://h/v1"), "http://h/v1/messages");
  EXPECT_EQ(url(Provider::gemini, "http://h/v1beta"),
            "http://h/v1beta/models/the-id:streamGenerateContent?alt=sse");
  EXPECT_EQ(url(Provider::gemini, "http://h/v1beta", false), "http://h/v1beta/models/the-id:generateContent");
  EXPECT_EQ(url(Provider::openai_chat, "https://x/openai/deployments/d?api-version=2024-10-21"),
            "https://x/openai/deployments/d/chat/completions?api-version=2024-10-21");
  EXPECT_EQ(url(Provider::openai_completions, "http://h/v1/?a=b#c"), "http://h/v1/completions?a=b");
  EXPECT_EQ(url(Provider::anthropic, "http://h/v1/?a=b"), "http://h/v1/messages?a=b");
  EXPECT_EQ(url(Provider::gemini, "http://h/v1beta?a=b"),
            "http://h/v1beta/models/the-id:streamGenerateContent?alt=sse&a=b");
}

TEST(Protocol, PutsTheKeyIntoItsHeaderAndNowhereElse) {
  const std::vector<std::tuple<Provider, std::string, std::string>> places = {
      {Provider::openai_chat, "Authorization", "Bearer sk-key"},
      {Provider::openai_completions, "Authorization", "Bearer sk-key"},
      {Provider::anthropic, "x-api-key", "sk-key"},
      {Provider::gemini, "x-goog-api-key", "sk-key"}};
  for (const auto& [provider, header, value] : places) {
    const auto http = http_request(model_of(provider), kRequest, "sk-key");
    EXPECT_EQ(find_header(http.headers, header), value);
    EXPECT_EQ(http.url.find("sk-key"), std::string::npos);
    EXPECT_EQ(http.body.find("sk-key"), std::string::npos);
    EXPECT_EQ(find_header(http_request(model_of(provider), kRequest, "").headers, header), "");
  }
}

TEST(Protocol, WritesTheBodyOfChatCompletions) {
  auto model = model_of(Provider::openai_chat);
  model.base_url = "http://h/v1";
  const auto body = body_of(model);
  EXPECT_EQ(body, json::parse(R"({"model":"the-id","stream":true,"stream_options":{"include_usage":true},
      "temperature":0.5,"max_tokens":100,"messages":[{"role":"system","content":"be brief"},
      {"role":"user","content":"hello"},{"role":"assistant","content":"hi"},{"role":"user","content":"go on"}]})"));
  model.base_url.clear();  // OpenAI's own reasoning models know only the other word
  EXPECT_EQ(body_of(model)["max_completion_tokens"], 100);
  EXPECT_FALSE(body_of(model).contains("max_tokens"));
}

TEST(Protocol, WritesTheBodyOfPlainCompletions) {
  auto model = model_of(Provider::openai_completions);
  model.prompt_format = PromptFormat::chatml;
  const auto body = body_of(model);
  EXPECT_EQ(
      body["prompt"],
      "<|im_start|>system\nbe brief<|im_end|>\n<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n"
      "hi<|im_end|>\n<|im_start|>user\ngo on<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_EQ(body["stop"], json::parse(R"(["<|im_end|>"])"));
  EXPECT_EQ(completion_prompt(PromptFormat::plain, {{"system", "a"}, {"user", "b"}}), "a\n\nb");
  EXPECT_EQ(completion_prompt(PromptFormat::mistral, {{"system", "a"}, {"user", "b"}, {"assistant", "c"}}),
            "[INST] a\n\nb [/INST] c</s>");
  EXPECT_EQ(completion_prompt(PromptFormat::llama3, {{"user", "b"}}),
            "<|start_header_id|>user<|end_header_id|>\n\nb<|eot_id|><|start_header_id|>assistant"
            "<|end_header_id|>\n\n");
}

TEST(Protocol, WritesTheBodyOfAnthropicMessages) {
  const auto body = body_of(model_of(Provider::anthropic));
  EXPECT_EQ(body, json::parse(R"({"model":"the-id","stream":true,"temperature":0.5,"max_tokens":100,
      "system":[{"type":"text","text":"be brief","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"},
      {"role":"user","content":"go on"}]})"));
  EXPECT_EQ(
      find_header(http_request(model_of(Provider::anthropic), kRequest, "k").headers, "anthropic-version"),
      "2023-06-01");
}

LlmRequest with_stable_part(std::string content, std::size_t bytes) {
  return {.messages = {{"system", "be brief"}, {"user", std::move(content), bytes}}};
}

TEST(Protocol, MarksTheStablePartOfAPromptForAnthropic) {
  const auto model = model_of(Provider::anthropic);
  const auto content = [&](const char* text, std::size_t bytes) {
    return body_of(model, with_stable_part(text, bytes))["messages"][0]["content"];
  };
  EXPECT_EQ(content("the task\n\nround 2", 8),
            json::parse(R"([{"type":"text","text":"the task","cache_control":{"type":"ephemeral"}},
                            {"type":"text","text":"\n\nround 2"}])"));
  const auto whole =
      json::parse(R"([{"type":"text","text":"the task","cache_control":{"type":"ephemeral"}}])");
  EXPECT_EQ(content("the task", 8), whole);
  EXPECT_EQ(content("the task", 100), whole);
  EXPECT_EQ(content("the task\n", 8)[0]["text"], "the task\n") << "a blank block is refused";
  EXPECT_EQ(content("  the task", 2), "  the task") << "a blank block is refused";
  EXPECT_EQ(content("the task", 0), "the task");
}

TEST(Protocol, SendsAnthropicFourMarksAtMost) {
  LlmRequest request{.messages = {{"system", "be brief"}}};
  for (int i = 0; i < 6; ++i) request.messages.push_back({i % 2 ? "assistant" : "user", "stable, new", 6});
  const auto body = http_request(model_of(Provider::anthropic), request, "").body;
  std::size_t marks = 0;
  for (auto at = body.find("cache_control"); at != std::string::npos; at = body.find("cache_control", at + 1))
    ++marks;
  EXPECT_EQ(marks, 4u);
}

TEST(Protocol, ChangesNoByteForAStablePartAtOtherProviders) {
  for (const auto provider : {Provider::openai_chat, Provider::openai_completions, Provider::gemini})
    EXPECT_EQ(http_request(model_of(provider), with_stable_part("the task, round 2", 8), "").body,
              http_request(model_of(provider), with_stable_part("the task, round 2", 0), "").body);
}

TEST(Protocol, SendsNoMarksIfCachingIsOff) {
  auto model = model_of(Provider::anthropic);
  model.cache = false;
  EXPECT_EQ(body_of(model)["system"], "be brief");
  EXPECT_EQ(body_of(model, with_stable_part("the task, round 2", 8))["messages"][0]["content"],
            "the task, round 2");
  model.cache = true;
  EXPECT_FALSE(body_of(model, {.messages = {{"user", "x"}}}).contains("system"));
}

TEST(Protocol, SendsASeedIfTheProviderTakesOne) {
  auto request = kRequest;
  request.seed = 7;
  EXPECT_EQ(body_of(model_of(Provider::openai_chat), request)["seed"], 7);
  EXPECT_EQ(body_of(model_of(Provider::openai_completions), request)["seed"], 7);
  EXPECT_EQ(body_of(model_of(Provider::gemini), request)["generationConfig"]["seed"], 7);
  EXPECT_FALSE(body_of(model_of(Provider::anthropic), request).contains("seed"));
  auto silent = model_of(Provider::openai_chat);
  silent.send_seed = false;
  EXPECT_FALSE(body_of(silent, request).contains("seed"));
  EXPECT_FALSE(body_of(model_of(Provider::openai_chat)).contains("seed"));
  std::set<std::int64_t> seeds;
  for (const std::uint64_t seed : {0ull, 1ull, 1ull << 33, 1ull << 62, ~0ull}) {
    request.seed = seed;
    seeds.insert(
        body_of(model_of(Provider::gemini), request)["generationConfig"]["seed"].get<std::int64_t>());
  }
  EXPECT_EQ(seeds.size(), 5u);
  EXPECT_GE(*seeds.begin(), 0);
  EXPECT_LE(*seeds.rbegin(), 0x7fffffff);
}

TEST(Protocol, NamesTheOutputLimitAsTheServerOrTheEntrySays) {
  auto model = model_of(Provider::openai_chat);
  model.base_url = "http://h/v1";
  model.max_tokens_field = MaxTokensField::max_completion_tokens;
  EXPECT_EQ(body_of(model)["max_completion_tokens"], 100);
  EXPECT_FALSE(body_of(model).contains("max_tokens"));
  model.base_url.clear();
  model.max_tokens_field = MaxTokensField::max_tokens;
  EXPECT_EQ(body_of(model)["max_tokens"], 100);
}

TEST(Protocol, HeadersOfTheEntryReplaceOurs) {
  auto model = model_of(Provider::openai_chat);
  model.headers = {{"api-key", "azure"}, {"authorization", "other"}};
  const auto headers = http_request(model, kRequest, "sk-key").headers;
  EXPECT_EQ(find_header(headers, "api-key"), "azure");
  EXPECT_EQ(
      std::ranges::count_if(headers, [](const auto& h) { return same_header(h.name, "Authorization"); }), 1);
  EXPECT_EQ(find_header(headers, "Authorization"), "other");
}

TEST(Protocol, WritesTheBodyOfGemini) {
  const auto body = body_of(model_of(Provider::gemini));
  EXPECT_EQ(body, json::parse(R"({"generationConfig":{"maxOutputTokens":100,"temperature":0.5},
      "systemInstruction":{"parts":[{"text":"be brief"}]},
      "contents":[{"role":"user","parts":[{"text":"hello"}]},{"role":"model","parts":[{"text":"hi"}]},
      {"role":"user","parts":[{"text":"go on"}]}]})"));
}

TEST(Protocol, MergesExtraAndNullRemovesAKey) {
  auto model = model_of(Provider::openai_chat);
  model.extra = R"({"top_p":0.9,"stream_options":null,"chat_template_kwargs":{"enable_thinking":false}})";
  const auto body = body_of(model);
  EXPECT_EQ(body["top_p"], 0.9);
  EXPECT_FALSE(body.contains("stream_options"));
  EXPECT_EQ(body["chat_template_kwargs"]["enable_thinking"], false);
}

TEST(Protocol, SendsNoTemperatureIfNoneIsSet) {
  for (const auto provider : {Provider::openai_chat, Provider::anthropic})
    EXPECT_FALSE(body_of(model_of(provider), {.messages = {{"user", "x"}}}).contains("temperature"));
  auto model = model_of(Provider::anthropic);
  model.temperature = 0.25;
  const auto body = body_of(model, {.messages = {{"user", "x"}}});
  EXPECT_EQ(body["temperature"], 0.25);
  EXPECT_EQ(body["max_tokens"], 16384);
}

TEST(Protocol, ReplacesInvalidUtf8InAPrompt) {
  const auto body = body_of(model_of(Provider::openai_chat), {.messages = {{"user",
                                                                            "a\xFF"
                                                                            "b"}}});
  EXPECT_EQ(body["messages"][0]["content"],
            "a\xEF\xBF\xBD"
            "b");
}

TEST(Protocol, ReplayAndMailboxHaveNoProtocol) {
  EXPECT_THROW(protocol_of(Provider::replay), BadInput);
  EXPECT_THROW(protocol_of(Provider::mailbox), BadInput);
}

}  // namespace
}  // namespace ridgeline::llm
