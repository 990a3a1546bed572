#include "llm_clients/protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.hpp"
#include "llm_clients/prompt_format.hpp"
#include "tests/llm_clients/streams.hpp"

namespace ridgeline::llm {
namespace {

using nlohmann::json;
using test::head_of;
using test::kComplete;
using test::read_answer;

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

TEST(Protocol, UrlsOfEachProviderFromEveryUsualBase) {
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

TEST(Protocol, TheKeyIsInItsHeaderAndNowhereElse) {
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

TEST(Protocol, BodyOfChatCompletions) {
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

TEST(Protocol, BodyOfPlainCompletions) {
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

TEST(Protocol, BodyOfAnthropicMessages) {
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

TEST(Protocol, AnthropicIsToldWhichPartOfAPromptIsStable) {
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

TEST(Protocol, AnthropicGetsFourMarksAtMost) {
  LlmRequest request{.messages = {{"system", "be brief"}}};
  for (int i = 0; i < 6; ++i) request.messages.push_back({i % 2 ? "assistant" : "user", "stable, new", 6});
  const auto body = http_request(model_of(Provider::anthropic), request, "").body;
  std::size_t marks = 0;
  for (auto at = body.find("cache_control"); at != std::string::npos; at = body.find("cache_control", at + 1))
    ++marks;
  EXPECT_EQ(marks, 4u);
}

TEST(Protocol, AStablePartChangesNoByteForTheOtherProviders) {
  for (const auto provider : {Provider::openai_chat, Provider::openai_completions, Provider::gemini})
    EXPECT_EQ(http_request(model_of(provider), with_stable_part("the task, round 2", 8), "").body,
              http_request(model_of(provider), with_stable_part("the task, round 2", 0), "").body);
}

TEST(Protocol, AnthropicsCacheCanBeLeftAlone) {
  auto model = model_of(Provider::anthropic);
  model.cache = false;
  EXPECT_EQ(body_of(model)["system"], "be brief");
  EXPECT_EQ(body_of(model, with_stable_part("the task, round 2", 8))["messages"][0]["content"],
            "the task, round 2");
  model.cache = true;
  EXPECT_FALSE(body_of(model, {.messages = {{"user", "x"}}}).contains("system"));
}

TEST(Protocol, ASeedGoesAlongWhereTheProviderTakesOne) {
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

TEST(Protocol, TheNameOfTheLargestOutputIsTheServersOrTheEntrys) {
  auto model = model_of(Provider::openai_chat);
  model.base_url = "http://h/v1";
  model.max_tokens_field = MaxTokensField::max_completion_tokens;
  EXPECT_EQ(body_of(model)["max_completion_tokens"], 100);
  EXPECT_FALSE(body_of(model).contains("max_tokens"));
  model.base_url.clear();
  model.max_tokens_field = MaxTokensField::max_tokens;
  EXPECT_EQ(body_of(model)["max_tokens"], 100);
}

TEST(Protocol, HeadersOfTheEntryGoAlongAndWin) {
  auto model = model_of(Provider::openai_chat);
  model.headers = {{"api-key", "azure"}, {"authorization", "other"}};
  const auto headers = http_request(model, kRequest, "sk-key").headers;
  EXPECT_EQ(find_header(headers, "api-key"), "azure");
  EXPECT_EQ(
      std::ranges::count_if(headers, [](const auto& h) { return same_header(h.name, "Authorization"); }), 1);
  EXPECT_EQ(find_header(headers, "Authorization"), "other");
}

TEST(Protocol, BodyOfGemini) {
  const auto body = body_of(model_of(Provider::gemini));
  EXPECT_EQ(body, json::parse(R"({"generationConfig":{"maxOutputTokens":100,"temperature":0.5},
      "systemInstruction":{"parts":[{"text":"be brief"}]},
      "contents":[{"role":"user","parts":[{"text":"hello"}]},{"role":"model","parts":[{"text":"hi"}]},
      {"role":"user","parts":[{"text":"go on"}]}]})"));
}

TEST(Protocol, ExtraIsMergedAndNullTakesAKeyOut) {
  auto model = model_of(Provider::openai_chat);
  model.extra = R"({"top_p":0.9,"stream_options":null,"chat_template_kwargs":{"enable_thinking":false}})";
  const auto body = body_of(model);
  EXPECT_EQ(body["top_p"], 0.9);
  EXPECT_FALSE(body.contains("stream_options"));
  EXPECT_EQ(body["chat_template_kwargs"]["enable_thinking"], false);
}

TEST(Protocol, NoTemperatureIsLeftToTheProvider) {
  for (const auto provider : {Provider::openai_chat, Provider::anthropic})
    EXPECT_FALSE(body_of(model_of(provider), {.messages = {{"user", "x"}}}).contains("temperature"));
  auto model = model_of(Provider::anthropic);
  model.temperature = 0.25;
  const auto body = body_of(model, {.messages = {{"user", "x"}}});
  EXPECT_EQ(body["temperature"], 0.25);
  EXPECT_EQ(body["max_tokens"], 16384);
}

TEST(Protocol, APromptThatIsNoUtf8IsSentWithReplacements) {
  const auto body = body_of(model_of(Provider::openai_chat), {.messages = {{"user",
                                                                            "a\xFF"
                                                                            "b"}}});
  EXPECT_EQ(body["messages"][0]["content"],
            "a\xEF\xBF\xBD"
            "b");
}

TEST(Protocol, WholeAnswersOfEachProvider) {
  const auto head = head_of(200, "application/json; charset=utf-8");
  const auto chat = read_answer(Provider::openai_chat, head,
                                R"({"model":"m","choices":[{"message":{"content":"t","reasoning":"r"},
      "finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"prompt_cache_hit_tokens":1}})",
                                kComplete);
  EXPECT_EQ(chat.text + '|' + chat.reasoning + '|' + chat.provider_model, "t|r|m");
  EXPECT_EQ(chat.usage, (Usage{3, 4, 1, 0, 0, true}));

  const auto plain = read_answer(Provider::openai_completions, head,
                                 R"({"choices":[{"text":"t","finish_reason":"length"}]})", kComplete);
  EXPECT_EQ(plain.text, "t");
  EXPECT_EQ(plain.finish_reason, "length");
  EXPECT_FALSE(plain.usage.reported);

  const auto anthropic = read_answer(Provider::anthropic, head,
                                     R"({"model":"m","content":[{"type":"thinking","thinking":"r"},
      {"type":"text","text":"t"}],"stop_reason":"max_tokens","usage":{"input_tokens":3,"output_tokens":4}})",
                                     kComplete);
  EXPECT_EQ(anthropic.text + '|' + anthropic.reasoning, "t|r");
  EXPECT_EQ(status_of_finish(anthropic.finish_reason), LlmStatus::truncated);

  const auto chunks = read_answer(Provider::gemini, head,
                                  R"([{"candidates":[{"content":{"parts":[{"text":"a"}]}}]},
      {"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}])",
                                  kComplete);
  EXPECT_EQ(chunks.text, "ab");
  EXPECT_FALSE(chunks.failure);
}

TEST(Protocol, ContentAsAListOfPartsIsRead) {
  const auto whole = read_answer(Provider::openai_chat, head_of(200, "application/json"),
                                 R"({"choices":[{"message":{"content":[
      {"type":"thinking","thinking":[{"type":"text","text":"hm"}]},
      {"type":"text","text":"a"},{"type":"image_url","image_url":{}},{"type":"text","text":"b"}]},
      "finish_reason":"stop"}]})",
                                 kComplete);
  EXPECT_EQ(whole.text + '|' + whole.reasoning, "ab|hm");
  const auto stream =
      read_answer(Provider::openai_chat, head_of(200, "text/event-stream"),
                  "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}]}\n\n"
                  "data: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\n\n",
                  kComplete);
  EXPECT_EQ(stream.text, "ab");
  const auto refusal = read_answer(Provider::openai_chat, head_of(200, "application/json"),
                                   R"({"choices":[{"message":{"content":[{"type":"refusal","refusal":"no"}]},
      "finish_reason":"stop"}]})",
                                   kComplete);
  EXPECT_TRUE(refusal.refused);
}

TEST(Protocol, ChoicesAreKeptApartByTheirIndex) {
  const auto event = [](int index, const char* text, const char* end = "null") {
    return "data: {\"choices\":[{\"index\":" + std::to_string(index) + ",\"delta\":{\"content\":\"" + text +
           "\"},\"finish_reason\":" + end + "}]}\n\n";
  };
  const auto stream = read_answer(
      Provider::openai_chat, head_of(200, "text/event-stream"),
      event(1, "x") + event(0, "a") + event(1, "y", "\"stop\"") + event(0, "b", "\"length\""), kComplete);
  EXPECT_EQ(stream.text, "ab");
  EXPECT_EQ(stream.finish_reason, "length");
  const auto whole = read_answer(Provider::openai_chat, head_of(200, "application/json"),
                                 R"({"choices":[{"index":1,"message":{"content":"x"},"finish_reason":"stop"},
      {"index":0,"message":{"content":"a"},"finish_reason":"stop"}]})",
                                 kComplete);
  EXPECT_EQ(whole.text, "a");
  const auto gemini = read_answer(Provider::gemini, head_of(200, "application/json"),
                                  R"({"candidates":[{"index":1,"content":{"parts":[{"text":"x"}]}},
      {"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]})",
                                  kComplete);
  EXPECT_EQ(gemini.text, "a");
}

TEST(Protocol, AToolCallIsNoEmptyAnswer) {
  const auto head = head_of(200, "application/json");
  EXPECT_TRUE(read_answer(Provider::openai_chat, head,
                          R"({"choices":[{"message":{"content":null,"tool_calls":[{"id":"1"}]}}]})",
                          kComplete)
                  .tool_call);
  EXPECT_TRUE(
      read_answer(Provider::anthropic, head, R"({"content":[{"type":"tool_use","name":"f"}]})", kComplete)
          .tool_call);
  EXPECT_TRUE(read_answer(Provider::gemini, head,
                          R"({"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]})", kComplete)
                  .tool_call);
  EXPECT_FALSE(read_answer(Provider::openai_chat, head,
                           R"({"choices":[{"message":{"content":"x","tool_calls":[]}}]})", kComplete)
                   .tool_call);
}

TEST(Protocol, CountsThatCannotBeAreNoUsage) {
  const auto head = head_of(200, "application/json");
  for (const char* usage :
       {R"({"prompt_tokens":-5,"completion_tokens":4})", R"({"prompt_tokens":5,"completion_tokens":-4})",
        R"({"prompt_tokens":5,"completion_tokens":4.5})", R"({"prompt_tokens":"5","completion_tokens":4})",
        R"({"prompt_tokens":5,"completion_tokens":1e30})", R"({"prompt_tokens":5,"completion_tokens":[4]})",
        R"({"prompt_tokens":5,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":-9}})",
        R"({"prompt_tokens":9223372036854775807,"completion_tokens":4})"}) {
    const auto answer =
        read_answer(Provider::openai_chat, head,
                    R"({"choices":[{"message":{"content":"t"},"finish_reason":"stop"}],"usage":)" +
                        std::string(usage) + '}',
                    kComplete);
    EXPECT_FALSE(answer.failure) << usage;
    EXPECT_EQ(answer.usage, Usage{}) << usage;
    EXPECT_FALSE(answer.usage_is_final) << usage;
    EXPECT_NE(answer.usage_problem.find("tokens"), std::string::npos) << usage;
  }
  const auto lua = read_answer(Provider::openai_chat, head,
                               R"({"choices":[{"message":{"content":"t"},"finish_reason":"stop"}],
      "usage":{"prompt_tokens":5.0,"completion_tokens":4.0}})",
                               kComplete);
  EXPECT_EQ(lua.usage, (Usage{5, 4, 0, 0, 0, true}));
  const auto gemini =
      read_answer(Provider::gemini, head, R"({"candidates":[{"content":{"parts":[{"text":"t"}]},
      "finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":-1}})",
                  kComplete);
  EXPECT_EQ(gemini.usage, Usage{});
  const auto anthropic = read_answer(Provider::anthropic, head, R"({"content":[{"type":"text","text":"t"}],
      "stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":-4}})",
                                     kComplete);
  EXPECT_EQ(anthropic.usage, Usage{});
}

TEST(Protocol, UsageIsFinalWithTheEndOfTheTextAndNotBefore) {
  const auto stream = head_of(200, "text/event-stream");
  for (const auto& [provider, bytes] :
       std::vector<std::pair<Provider, std::string>>{{Provider::openai_chat, test::kChatStream},
                                                     {Provider::anthropic, test::kAnthropicStream},
                                                     {Provider::gemini, test::kGeminiStream}}) {
    EXPECT_TRUE(read_answer(provider, stream, bytes, kComplete).usage_is_final) << to_string(provider);
    const auto cut = read_answer(provider, stream, bytes.substr(0, bytes.size() / 2), test::kCut);
    EXPECT_FALSE(cut.usage_is_final) << to_string(provider);
  }
  const auto counted_on_the_way =
      read_answer(Provider::openai_chat, stream,
                  "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}],\"usage\":{\"prompt_tokens\":3}}\n\n",
                  test::kCut);
  EXPECT_TRUE(counted_on_the_way.usage.reported);
  EXPECT_FALSE(counted_on_the_way.usage_is_final);
}

TEST(Protocol, RefusalsAreKnown) {
  const auto stream = head_of(200, "text/event-stream");
  const auto chat = read_answer(
      Provider::openai_chat, stream,
      "data: {\"choices\":[{\"delta\":{\"refusal\":\"no\"},\"finish_reason\":\"stop\"}]}\n\n", kComplete);
  EXPECT_TRUE(chat.refused);
  EXPECT_EQ(chat.text, "no");
  const auto blocked = read_answer(Provider::gemini, stream,
                                   "data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}\n\n", kComplete);
  EXPECT_TRUE(blocked.refused);
  for (const char* word : {"content_filter", "refusal", "SAFETY", "RECITATION"})
    EXPECT_EQ(status_of_finish(word), LlmStatus::refused) << word;
  for (const char* word : {"error", "OTHER", "MALFORMED_FUNCTION_CALL", "pause_turn"})
    EXPECT_EQ(status_of_finish(word), LlmStatus::empty) << word;
  for (const char* word : {"stop", "end_turn", "STOP", "stop_sequence", ""})
    EXPECT_EQ(status_of_finish(word), LlmStatus::answered) << word;
}

TEST(Protocol, AnswersOfAnotherShapeAreMalformedNotACrash) {
  const auto json_head = head_of(200, "application/json");
  for (const auto provider :
       {Provider::openai_chat, Provider::openai_completions, Provider::anthropic, Provider::gemini})
    for (const char* body : {"{}", "[]", "null", "3", "\"x\"", "{\"choices\":[]}", "{\"choices\":{}}",
                             "{\"content\":3}", "{\"candidates\":3}", "{", ""}) {
      const auto answer = read_answer(provider, json_head, body, kComplete);
      ASSERT_TRUE(answer.failure) << to_string(provider) << ' ' << body;
      EXPECT_EQ(answer.failure->status, LlmStatus::malformed) << to_string(provider) << ' ' << body;
    }
}

TEST(Protocol, EventsOfAnotherShapeAreSkipped) {
  const auto head = head_of(200, "text/event-stream");
  for (const auto provider : {Provider::openai_chat, Provider::anthropic, Provider::gemini})
    for (const char* event : {"{}", "[]", "null", "3", "{\"choices\":[3]}", "{\"choices\":[{\"delta\":3}]}",
                              "{\"type\":\"content_block_delta\",\"delta\":{\"text\":null}}",
                              "{\"candidates\":[{\"content\":{\"parts\":[3]}}]}"}) {
      const auto answer = read_answer(provider, head, std::string("data: ") + event + "\n\n", kComplete);
      ASSERT_TRUE(answer.failure) << event;  // nothing said that it ended
      EXPECT_EQ(answer.failure->status, LlmStatus::connection_failed) << event;
    }
}

TEST(Protocol, ReplayAndMailboxSpeakToNoServer) {
  EXPECT_THROW(protocol_of(Provider::replay), BadInput);
  EXPECT_THROW(protocol_of(Provider::mailbox), BadInput);
}

}  // namespace
}  // namespace ridgeline::llm
