#include "llm_clients/split_secrets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "llm_clients/base64.hpp"
#include "llm_clients/call_result.hpp"
#include "tests/llm_clients/streams.hpp"

namespace ridgeline::llm {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string kSecret = "sk-0123456789abcdef";

std::string event(const std::string& text, const char* end = "null") {
  return "data: {\"choices\":[{\"delta\":{\"content\":" + json(text).dump() + "},\"finish_reason\":" + end +
         "}]}\n\n";
}

/// All strings of all events of a stream, each place's put together and one after the other.
std::string put_together(const std::string& stream) {
  std::map<std::string, std::string> texts;
  SseParser parser([&](const SseEvent& one) {
    const auto parsed = json::parse(one.data, nullptr, false);
    if (parsed.is_discarded() || !parsed.is_structured()) return;
    const auto flat = parsed.flatten();
    for (const auto& [path, value] : flat.items())
      if (value.is_string()) texts[path] += value.get<std::string>();
  });
  parser.feed(stream);
  std::string all;
  for (const auto& [path, text] : texts) all += text + '\n';
  return all;
}

struct Seen {
  std::string raw;
  LlmResult result;
};

Seen read(Provider provider, const HttpHead& head, const std::string& body, bool whole_connection = true) {
  const Redactor redact(kSecret);
  AnswerReader reader(protocol_of(provider), redact, "http://here/v1", true);
  reader.head(head);
  reader.body(body);
  auto answer = reader.end(whole_connection ? test::kComplete : test::kCut, {});
  Seen seen{reader.clean_raw(), {}};
  const Model model;
  const LlmRequest request;
  const std::string sent;
  seen.result =
      result_of_exchange({model, request, "http://here/v1", sent, seen.raw}, std::move(answer), redact);
  return seen;
}

TEST(SplitSecrets, RemovesAKeySpreadOverEvents) {
  const auto stream_head = test::head_of(200, "text/event-stream");
  for (const auto& secret : {kSecret, base64(kSecret), base64("user:" + kSecret)})
    for (std::size_t size = 1; size <= secret.size(); ++size) {
      std::string stream = ": a comment\n\n" + event("it is ");
      for (std::size_t at = 0; at < secret.size(); at += size) stream += event(secret.substr(at, size));
      stream += event(", I see", "\"stop\"") + "data: [DONE]\n\n";
      const auto seen = read(Provider::openai_chat, stream_head, stream);
      EXPECT_THAT(seen.result.text, HasSubstr("[api key]")) << size;
      EXPECT_THAT(seen.result.text, testing::StartsWith("it is "));
      EXPECT_THAT(seen.result.text, testing::EndsWith(", I see"));
      const auto core = secret.substr(4, secret.size() - 8);
      EXPECT_THAT(put_together(seen.raw), Not(HasSubstr(core))) << size << '\n' << seen.raw;
      EXPECT_THAT(put_together(seen.raw), HasSubstr("[api key]")) << size;
      EXPECT_THAT(seen.raw, HasSubstr("data: [DONE]"));
    }
}

TEST(SplitSecrets, RemovesItInABrokenStreamAndAfterTheEnd) {
  const auto head = test::head_of(200, "text/event-stream");
  const auto broken =
      read(Provider::openai_chat, head, event(kSecret.substr(0, 9)) + event(kSecret.substr(9)), false);
  EXPECT_EQ(broken.result.status, LlmStatus::connection_failed);
  EXPECT_THAT(put_together(broken.raw), Not(HasSubstr(kSecret)));
  EXPECT_EQ(broken.result.text, "[api key]");
  const auto late = read(Provider::openai_chat, head,
                         test::kChatStream + event(kSecret.substr(0, 9)) + event(kSecret.substr(9)));
  EXPECT_THAT(put_together(late.raw), Not(HasSubstr(kSecret)));
  EXPECT_EQ(late.result.text, test::kText);
}

TEST(SplitSecrets, KeepsPathsApart) {
  // The pieces are in different places: nobody who puts together what belongs together sees a key.
  const auto stream = "data: {\"choices\":[{\"delta\":{\"content\":\"" + kSecret.substr(0, 9) +
                      "\",\"reasoning\":\"" + kSecret.substr(9) + "\"},\"finish_reason\":\"stop\"}]}\n\n";
  EXPECT_EQ(read(Provider::openai_chat, test::head_of(200, "text/event-stream"), stream).raw, stream);
}

TEST(SplitSecrets, FindsEscapedKeys) {
  std::string escaped;
  for (const char c : kSecret) {
    char text[8];
    std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(c));
    escaped += text;
  }
  const auto whole = read(Provider::openai_chat, test::head_of(200, "application/json"),
                          R"({"choices":[{"message":{"content":")" + escaped +
                              R"("},"finish_reason":"stop"}],")" + escaped + R"(":1})");
  EXPECT_EQ(whole.result.text, "[api key]");
  EXPECT_THAT(json::parse(whole.raw).dump(), Not(HasSubstr(kSecret)));
  const auto stream = read(
      Provider::openai_chat, test::head_of(200, "text/event-stream"),
      "data: {\"choices\":[{\"delta\":{\"content\":\"" + escaped + "\"},\"finish_reason\":\"stop\"}]}\n\n");
  EXPECT_EQ(stream.result.text, "[api key]");
  EXPECT_THAT(put_together(stream.raw), Not(HasSubstr(kSecret)));
  const auto error = read(Provider::openai_chat, test::head_of(400, "application/json"),
                          R"({"error":{"message":")" + std::string(285, 'x') + escaped + R"("}})");
  EXPECT_THAT(json::parse(error.raw).dump(), Not(HasSubstr(kSecret)));
  EXPECT_THAT(error.result.detail, Not(HasSubstr("sk-0")));
}

TEST(SplitSecrets, FindsPiecesInListsOfAWholeAnswer) {
  const auto gemini = read(Provider::gemini, test::head_of(200, "application/json"),
                           R"({"candidates":[{"content":{"parts":[{"text":")" + kSecret.substr(0, 5) +
                               R"("},{"text":")" + kSecret.substr(5) + R"("}]},"finishReason":"STOP"}]})");
  EXPECT_EQ(gemini.result.text, "[api key]");
  EXPECT_THAT(gemini.raw, Not(HasSubstr(kSecret.substr(5))));
}

TEST(SplitSecrets, ChangesNoByteWithoutASecret) {
  const auto stream = test::kChatStream + ": the end\n";
  EXPECT_EQ(read(Provider::openai_chat, test::head_of(200, "text/event-stream"), stream).raw, stream);
  const std::string spaced = "{ \"choices\" : [] }";
  EXPECT_EQ(read(Provider::openai_chat, test::head_of(200, "application/json"), spaced).raw, spaced);
}

}  // namespace
}  // namespace ridgeline::llm
