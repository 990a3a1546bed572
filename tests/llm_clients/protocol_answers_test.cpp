// How each protocol reads the answers of its provider.
#include <gtest/gtest.h>

#include "tests/llm_clients/streams.hpp"

namespace ridgeline::llm {
namespace {

using test::head_of;
using test::kComplete;
using test::read_answer;

TEST(ProtocolAnswers, ReadsWholeAnswersOfEachProvider) {
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

TEST(ProtocolAnswers, ReadsContentAsAListOfParts) {
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

TEST(ProtocolAnswers, ReadsTheFirstOfSeveralChoices) {
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

TEST(ProtocolAnswers, RecognizesToolCalls) {
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

TEST(ProtocolAnswers, ImpossibleCountsAreNoUsage) {
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

TEST(ProtocolAnswers, UsageIsFinalWithTheEndOfTheTextAndNotBefore) {
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

TEST(ProtocolAnswers, RecognizesRefusals) {
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

TEST(ProtocolAnswers, AnswersOfAnotherShapeAreMalformed) {
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

TEST(ProtocolAnswers, EventsOfAnotherShapeAreSkipped) {
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

}  // namespace
}  // namespace ridgeline::llm
