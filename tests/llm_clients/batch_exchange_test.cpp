#include "llm_clients/batch_exchange.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/llm_clients/fakes.hpp"

namespace ridgeline::llm {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// One exchange, whose answer the test gives.
struct ExchangeRig {
  std::deque<test::Sent> wire;
  test::RecordingTransport transport{wire};
  Redactor redact{std::string("secret-key-1")};
  int ends = 0;
  std::optional<BatchExchangeFailure> failure;
  json answer = "none came";
  std::vector<json> lines;

  HttpHandlers& request_document() {
    request_json(
        transport, {.url = "http://here"}, redact, [] { return std::chrono::system_clock::time_point(); },
        [this](std::optional<BatchExchangeFailure> trouble, const json& document) {
          ++ends;
          failure = std::move(trouble);
          answer = document;
        });
    return wire.back().handlers;
  }
  HttpHandlers& request_many() {
    request_lines(
        transport, {.url = "http://here"}, redact, [] { return std::chrono::system_clock::time_point(); },
        [this](const json& line) { lines.push_back(line); },
        [this](std::optional<BatchExchangeFailure> trouble) {
          ++ends;
          failure = std::move(trouble);
        });
    return wire.back().handlers;
  }
};

TEST(BatchExchange, KeepsOnlyTheBeginningOfAnEndlessErrorPage) {
  ExchangeRig rig;
  auto& answers = rig.request_document();
  answers.head({502, {}});
  EXPECT_EQ(answers.body(R"({"padding":")" + std::string(60 * 1024, 'x')), Flow::more);
  EXPECT_EQ(answers.body(std::string(60 * 1024, 'x')), Flow::enough);
  EXPECT_EQ(answers.body(R"(","error":{"message":"much later"}})"), Flow::enough);
  answers.end({HttpEndKind::complete, ""});
  ASSERT_TRUE(rig.failure);
  EXPECT_THAT(rig.failure->failure.detail, HasSubstr("padding"));
  EXPECT_THAT(rig.failure->failure.detail, Not(HasSubstr("much later")));
  EXPECT_TRUE(rig.answer.is_null());
}

TEST(BatchExchange, AnAnswerOfAnyLengthIsReadToItsEnd) {
  ExchangeRig rig;
  auto& answers = rig.request_document();
  answers.head({200, {}});
  EXPECT_EQ(answers.body(R"({"padding":")" + std::string(100 * 1024, 'x')), Flow::more);
  EXPECT_EQ(answers.body(R"(","key":"secret-key-1"})"), Flow::more);
  answers.end({HttpEndKind::complete, ""});
  EXPECT_FALSE(rig.failure);
  EXPECT_EQ(rig.ends, 1);
  EXPECT_EQ(rig.answer.at("key"), "[api key]");
}

TEST(BatchExchange, LinesOfABrokenAnswerCountUpToTheLastWholeOne) {
  ExchangeRig rig;
  auto& answers = rig.request_many();
  answers.head({200, {}});
  answers.body("1\nno json\n2");
  answers.body("3\n4");
  EXPECT_THAT(rig.lines, ElementsAre(json(1), json(23)));
  answers.end({HttpEndKind::cut_short, "the connection broke"});
  EXPECT_THAT(rig.lines, ElementsAre(json(1), json(23)));
  ASSERT_TRUE(rig.failure);
  EXPECT_TRUE(rig.failure->may_have_taken_effect);
}

TEST(BatchExchange, TheLastLineMayLackItsEnd) {
  ExchangeRig rig;
  auto& answers = rig.request_many();
  answers.head({200, {}});
  answers.body("1\n2");
  answers.end({HttpEndKind::complete, ""});
  EXPECT_THAT(rig.lines, ElementsAre(json(1), json(2)));
  EXPECT_FALSE(rig.failure);
}

TEST(BatchExchange, LinesOfAnErrorPageAreNoAnswer) {
  ExchangeRig rig;
  auto& answers = rig.request_many();
  answers.head({503, {}});
  answers.body("1\n2\n");
  answers.end({HttpEndKind::complete, ""});
  EXPECT_THAT(rig.lines, ElementsAre());
  ASSERT_TRUE(rig.failure);
  EXPECT_FALSE(rig.failure->may_have_taken_effect);
}

}  // namespace
}  // namespace ridgeline::llm
