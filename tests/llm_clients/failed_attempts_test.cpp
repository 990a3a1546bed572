// Tests the consequences of a failed attempt: its report and cost, refused accounts, empty answers, and a
// campaign that pauses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/llm_clients/patient_rig.hpp"

namespace ridgeline::llm {
namespace {

using testing::HasSubstr;

const HttpHeaders kJson = {{"Content-Type", "application/json"}};

TEST(Account, ARefusedKeyEndsAllWaitingRequests) {
  test::PatientRig rig;
  rig.model.limits.concurrency = 2;
  for (int i = 0; i < 5; ++i) rig.ask();
  rig.turn_away(0, 401, {}, R"({"error":{"message":"bad key"}})");
  EXPECT_EQ(rig.wire.size(), 2u) << "nothing more is sent with it";
  rig.turn_away(1, 401);
  ASSERT_EQ(rig.results.all.size(), 5u);
  for (const auto& result : rig.results.all) {
    EXPECT_EQ(result.fault, Fault::account);
    EXPECT_EQ(result.status, LlmStatus::unauthorized);
  }
  EXPECT_EQ(rig.failed.size(), 2u);
}

TEST(Account, BlamesTheRequestForADenialOnceOthersWereAnswered) {
  for (const int http : {403, 404, 302}) {
    test::PatientRig rig;
    rig.ask();
    rig.answer(0);
    for (std::size_t i = 1; i <= 4; ++i) {
      rig.ask();
      rig.turn_away(i, http);
      EXPECT_EQ(rig.results.all.at(i).fault, Fault::request) << http;
    }
    rig.ask();
    rig.turn_away(5, http);
    EXPECT_EQ(rig.results.all.at(5).fault, Fault::account) << "the fifth in a row, " << http;
  }
}

TEST(Account, AnAnswerResetsTheCountOfDenials) {
  test::PatientRig rig;
  for (std::size_t i = 0; i < 30; ++i) {
    rig.ask();
    if (i % 4 == 0)
      rig.answer(i);
    else
      rig.turn_away(i, 404);
  }
  for (const auto& result : rig.results.all) EXPECT_NE(result.fault, Fault::account);
}

TEST(FailedAttempts, AreReportedOnceWithTheBoundOfTheirCost) {
  test::PatientRig rig;
  rig.ask();
  rig.turn_away(0, 503);
  rig.clock.advance(1);
  rig.wire.at(1).handlers.head({200, {{"Content-Type", "text/event-stream"}}});
  rig.wire[1].handlers.body(
      "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}],"
      "\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}\n\n");
  rig.clock.advance(2);
  rig.break_off(1, {HttpEndKind::cut_short, "it broke"});
  rig.clock.advance(5);
  rig.break_off(2, {HttpEndKind::connect_failed, "refused", "connection refused", false});
  rig.clock.advance(5);
  rig.answer(3);
  ASSERT_EQ(rig.failed.size(), 3u);
  EXPECT_EQ(rig.failed[0].number, 1);
  EXPECT_EQ(rig.failed[0].status, LlmStatus::overloaded);
  EXPECT_EQ(rig.failed[0].unsettled, Cost{}) << "turned away";
  const auto& broken = rig.failed[1];
  EXPECT_EQ(broken.number, 2);
  EXPECT_EQ(broken.usage.input_tokens, 7);
  EXPECT_DOUBLE_EQ(broken.usd, (7 * 2 + 3 * 10) / 1e6);
  EXPECT_EQ(broken.unsettled.tokens, 64 + 16 + 5 + 100 - 10);
  EXPECT_DOUBLE_EQ(broken.unsettled.usd, (85 * 2 + 100 * 10 - 7 * 2 - 3 * 10) / 1e6);
  EXPECT_DOUBLE_EQ(broken.seconds, 2);
  EXPECT_THAT(broken.raw_response, HasSubstr("half"));
  EXPECT_EQ(broken.endpoint, "https://api.example/v1/chat/completions");
  for (const auto& attempt : rig.failed) EXPECT_EQ(attempt.model_id, rig.results.all.at(0).model_id);
  EXPECT_NE(broken.model_id, "");
  EXPECT_EQ(rig.failed[2].unsettled, Cost{}) << "nothing was sent";
  EXPECT_EQ(rig.results.all.at(0).attempts, 4);
  EXPECT_EQ(rig.results.all[0].unsettled, Cost{});
}

TEST(FailedAttempts, TheCallbackMayForbidAnotherAttempt) {
  test::PatientRig rig;
  rig.may_go_on = false;
  rig.ask();
  rig.break_off(0, {HttpEndKind::cut_short, "it broke"});
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].status, LlmStatus::connection_failed);
  EXPECT_EQ(rig.results.all[0].fault, Fault::request);
  EXPECT_EQ(rig.results.all[0].unsettled, Cost{}) << "it was told";
  EXPECT_GT(rig.failed.at(0).unsettled.tokens, 0);
  rig.clock.advance(1000);
  EXPECT_EQ(rig.wire.size(), 1u);
}

TEST(StopSending, CancelsWaitingRequestsAndLetsTheOthersEnd) {
  test::PatientRig rig;
  rig.model.limits.concurrency = 3;
  for (int i = 0; i < 5; ++i) rig.ask();
  rig.turn_away(0, 500);  // rests; the fourth goes
  rig.client->stop_sending();
  rig.clock.run();
  ASSERT_EQ(rig.results.all.size(), 2u);
  for (const auto& result : rig.results.all) EXPECT_EQ(result.status, LlmStatus::cancelled);
  rig.answer(1);
  EXPECT_TRUE(rig.results.all.back().ok());
  rig.turn_away(2, 500);
  EXPECT_EQ(rig.results.all.back().status, LlmStatus::cancelled) << "no other attempt";
  rig.ask("late");
  EXPECT_EQ(rig.results.all.back().status, LlmStatus::cancelled);
  rig.turn_away(3, 400);
  EXPECT_EQ(rig.results.all.back().status, LlmStatus::bad_request);
  rig.clock.advance(1000);
  EXPECT_EQ(rig.wire.size(), 4u);
  EXPECT_EQ(rig.results.all.size(), 6u);
}

TEST(StopSending, MayBeCalledFromOnFailedAttempt) {
  test::PatientRig rig;
  rig.start();
  LlmRequest request{.messages = {{"user", "x"}}};
  request.on_failed_attempt = [&](const FailedAttempt&) {
    rig.client->stop_sending();
    return true;
  };
  rig.client->complete(request, rig.results.keep());
  rig.clock.run();
  rig.turn_away(0, 500);
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].status, LlmStatus::cancelled);
}

TEST(EmptyAnswers, AreRetriedAFewTimesAndPaidEach) {
  for (const char* choice : {R"({"message":{"content":""},"finish_reason":"stop"})",
                             R"({"message":{"content":" \n"},"finish_reason":"stop"})",
                             R"({"message":{"content":"half an"},"finish_reason":"error"})"}) {
    test::PatientRig rig;
    const auto body =
        R"({"choices":[)" + std::string(choice) + R"(],"usage":{"prompt_tokens":10,"completion_tokens":1}})";
    rig.ask();
    rig.turn_away(0, 200, kJson, body);
    rig.clock.advance(1);
    ASSERT_EQ(rig.wire.size(), 2u) << choice;
    rig.turn_away(1, 200, kJson, body);
    ASSERT_EQ(rig.results.all.size(), 1u) << choice;
    EXPECT_EQ(rig.results.all[0].status, LlmStatus::empty);
    EXPECT_EQ(rig.results.all[0].fault, Fault::request);
    EXPECT_EQ(rig.results.all[0].usage.input_tokens, 10);
    ASSERT_EQ(rig.failed.size(), 1u);
    EXPECT_EQ(rig.failed[0].usage.input_tokens, 10);
    EXPECT_TRUE(rig.states.empty()) << "the endpoint answers";
  }
}

}  // namespace
}  // namespace ridgeline::llm
