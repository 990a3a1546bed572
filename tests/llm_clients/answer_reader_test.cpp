#include "llm_clients/answer_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/llm_clients/streams.hpp"

namespace ridgeline::llm {
namespace {

using test::head_of;
using test::kComplete;
using test::kCut;
using test::read_answer;
using testing::HasSubstr;
using testing::Not;

const HttpHead kStream = head_of(200, "text/event-stream; charset=utf-8");
const HttpHead kJson = head_of(200, "application/json");

struct ProviderStream {
  Provider provider;
  std::string stream;
  std::string last_event;  ///< from here on the text is whole
  std::string model;
  Usage usage;
};

const std::vector<ProviderStream>& streams() {
  static const std::vector<ProviderStream> all = {
      {Provider::openai_chat,
       test::kChatStream,
       "data: {\"choices\":[{\"delta\":{},",
       "m-1",
       {10, 5, 4, 0, 2, true}},
      {Provider::anthropic,
       test::kAnthropicStream,
       "data: {\"type\":\"message_delta\"",
       "claude-x",
       {10, 7, 5, 2, 0, true}},
      {Provider::gemini, test::kGeminiStream, "\"finishReason\"", "gemini-x", {10, 5, 4, 0, 2, true}},
  };
  return all;
}

TEST(AnswerReader, ReadsTheWholeAnswerHoweverTheStreamIsSplit) {
  for (const auto& one : streams())
    for (std::size_t split = 0; split <= one.stream.size(); ++split) {
      const auto answer = read_answer(one.provider, kStream, one.stream, kComplete, split);
      ASSERT_FALSE(answer.failure) << answer.failure->detail << " at " << split;
      ASSERT_EQ(answer.text, test::kText) << split;
      ASSERT_EQ(answer.reasoning, "think") << split;
      ASSERT_EQ(answer.provider_model, one.model) << split;
      ASSERT_EQ(answer.usage, one.usage) << to_string(one.provider) << " at " << split;
    }
}

TEST(AnswerReader, ABreakIsAFailureBeforeTheLastEventAndHarmlessAfterIt) {
  for (const auto& one : streams()) {
    const auto last = one.stream.find(one.last_event);
    ASSERT_NE(last, std::string::npos);
    const std::string_view blank = one.provider == Provider::gemini ? "\r\n\r" : "\n\n";
    const auto whole = one.stream.find(blank, last) + blank.size();
    for (std::size_t size = 0; size < one.stream.size(); ++size) {
      const auto answer = read_answer(one.provider, kStream, one.stream.substr(0, size), kCut);
      if (size < whole) {
        ASSERT_TRUE(answer.failure) << to_string(one.provider) << " cut at " << size;
        ASSERT_EQ(answer.failure->status, LlmStatus::connection_failed) << size;
      } else {
        ASSERT_FALSE(answer.failure) << to_string(one.provider) << " cut at " << size;
        ASSERT_EQ(answer.text, test::kText);
      }
    }
  }
}

TEST(AnswerReader, AcceptsAStreamWithoutDone) {
  const auto stream = test::kChatStream.substr(0, test::kChatStream.find("data: [DONE]"));
  const auto answer = read_answer(Provider::openai_chat, kStream, stream, kComplete);
  EXPECT_FALSE(answer.failure);
  EXPECT_EQ(answer.text, test::kText);
}

TEST(AnswerReader, AStreamWithoutALastEventIsAFailure) {
  const auto stream =
      test::kChatStream.substr(0, test::kChatStream.find("data: {\"choices\":[{\"delta\":{},"));
  const auto answer = read_answer(Provider::openai_chat, kStream, stream, kComplete);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->status, LlmStatus::connection_failed);
  EXPECT_THAT(answer.failure->detail, HasSubstr("has no last event"));
}

TEST(AnswerReader, ReadsErrorsInsideAStream) {
  struct Case {
    Provider provider;
    std::string event;
    LlmStatus status;
  };
  const std::vector<Case> cases = {
      {Provider::openai_chat, R"({"error":{"message":"boom","code":503}})", LlmStatus::overloaded},
      {Provider::openai_chat, R"({"error":{"message":"boom","type":"server_error"}})",
       LlmStatus::server_error},
      {Provider::openai_chat, R"({"error":"boom"})", LlmStatus::server_error},
      {Provider::openai_completions, R"({"error":{"message":"boom","code":"context_length_exceeded"}})",
       LlmStatus::context_exceeded},
      {Provider::anthropic, R"({"type":"error","error":{"type":"overloaded_error","message":"boom"}})",
       LlmStatus::overloaded},
      {Provider::gemini, R"({"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"boom"}})",
       LlmStatus::rate_limited},
  };
  for (const auto& one : cases) {
    const auto answer =
        read_answer(one.provider, kStream, "event: error\ndata: " + one.event + "\n\n", kComplete);
    ASSERT_TRUE(answer.failure) << one.event;
    EXPECT_EQ(answer.failure->status, one.status) << one.event;
    EXPECT_THAT(answer.failure->detail, HasSubstr("boom"));
  }
}

TEST(AnswerReader, AnErrorAfterTheEndOfTheTextChangesNothing) {
  const auto stream = test::kChatStream.substr(0, test::kChatStream.find("data: {\"choices\":[],")) +
                      "data: {\"error\":{\"message\":\"late\"}}\n\n";
  const auto answer = read_answer(Provider::openai_chat, kStream, stream, kComplete);
  EXPECT_FALSE(answer.failure);
  EXPECT_EQ(answer.text, test::kText);
}

TEST(AnswerReader, ReadsAnErrorInABodyWithStatus200) {
  const auto answer = read_answer(Provider::openai_chat, kJson,
                                  R"({"error":{"message":"boom","code":"invalid_api_key"}})", kComplete);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->status, LlmStatus::unauthorized);
}

TEST(AnswerReader, AnEventThatIsNoJsonIsMalformed) {
  const auto answer = read_answer(Provider::openai_chat, kStream, "data: {\"choices\":\n\n", kComplete);
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->status, LlmStatus::malformed);
}

TEST(AnswerReader, InvalidUtf8DoesNotStopAStream) {
  const auto answer = read_answer(Provider::openai_chat, kStream,
                                  "data: {\"choices\":[{\"delta\":{\"content\":\"a\xFF"
                                  "b\"},\"finish_reason\":\"stop\"}]}\n\n",
                                  kComplete);
  EXPECT_FALSE(answer.failure);
  EXPECT_EQ(answer.text,
            "a\xEF\xBF\xBD"
            "b");
}

TEST(AnswerReader, ReadsJsonAlthoughAStreamWasRequested) {
  const auto answer =
      read_answer(Provider::openai_chat, kJson,
                  R"({"choices":[{"message":{"content":"hi"},"finish_reason":"length"}]})", kComplete);
  EXPECT_FALSE(answer.failure);
  EXPECT_EQ(answer.text, "hi");
  EXPECT_EQ(status_of_finish(answer.finish_reason), LlmStatus::truncated);
}

TEST(AnswerReader, BlamesTheEndpointForAnyOtherContentType) {
  HttpHead gzip = kStream;
  gzip.headers.push_back({"Content-Encoding", "gzip"});
  for (const auto& head : {head_of(200, "text/html"), head_of(200, "application/octet-stream"), gzip}) {
    const auto answer = read_answer(Provider::openai_chat, head, "<html>sign in", kComplete);
    ASSERT_TRUE(answer.failure);
    EXPECT_EQ(answer.failure->status, LlmStatus::malformed);
    EXPECT_EQ(answer.failure->blame, Blame::endpoint);
    EXPECT_THAT(answer.failure->detail, HasSubstr("base_url"));
  }
}

TEST(AnswerReader, WithoutAHeadReportsHowTheExchangeEnded) {
  const Redactor redact("");
  AnswerReader reader(openai_chat_protocol, redact, "http://here", true);
  const auto answer = reader.end({HttpEndKind::connect_timeout, "no connection to here"}, {});
  ASSERT_TRUE(answer.failure);
  EXPECT_EQ(answer.failure->status, LlmStatus::timed_out);
  EXPECT_THAT(answer.failure->detail, HasSubstr("timeouts.connect"));
}

TEST(AnswerReader, KeepsOnlyTheBeginningOfAnEndlessErrorPage) {
  const Redactor redact("");
  const std::string piece(40 * 1024, 'x');
  for (const auto& head : {head_of(502, "text/html"), head_of(200, "text/html")}) {
    AnswerReader reader(openai_chat_protocol, redact, "http://here", true);
    reader.head(head);
    EXPECT_EQ(reader.body(piece), Flow::more);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(reader.body(piece), Flow::enough);
    EXPECT_EQ(reader.clean_raw(), piece + piece);
    EXPECT_TRUE(reader.end(kComplete, {}).failure);
  }
}

TEST(AnswerReader, NoExcerptEndsWithHalfAKey) {
  const std::string key = "sk-0123456789abcdefghijklmnopqrstuvwxyz";
  for (std::size_t fill = 240; fill < 310; ++fill) {
    const std::string text = std::string(fill, 'x') + key;
    const auto in_error = read_answer(Provider::openai_chat, head_of(401, "application/json"),
                                      "{\"error\":{\"message\":\"" + text + "\"}}", kComplete, 0, key);
    EXPECT_THAT(in_error.failure->detail, Not(HasSubstr("sk-0"))) << fill;
    const auto in_stream =
        read_answer(Provider::openai_chat, kStream, "data: {\"error\":{\"message\":\"" + text + "\"}}\n\n",
                    kComplete, 0, key);
    EXPECT_THAT(in_stream.failure->detail, Not(HasSubstr("sk-0"))) << fill;
    HttpHead redirect = head_of(302, "text/html");
    redirect.headers.push_back({"Location", text});
    const auto in_header = read_answer(Provider::openai_chat, redirect, "", kComplete, 0, key);
    EXPECT_THAT(in_header.failure->detail, Not(HasSubstr("sk-0"))) << fill;
  }
}

}  // namespace
}  // namespace ridgeline::llm
