// Requests while an endpoint fails: the wait, the probes, and who is to blame.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/llm_clients/patient_rig.hpp"

namespace ridgeline::llm {
namespace {

using testing::HasSubstr;

TEST(Outage, RequestsWaitAndAreAnsweredAfterIt) {
  test::PatientRig rig;
  rig.ask();
  const int turned_away = rig.stay_out(300);
  EXPECT_GT(turned_away, 8);
  EXPECT_LT(turned_away, 25) << "pauses grow";
  EXPECT_TRUE(rig.results.all.empty());
  rig.clock.advance(60);
  ASSERT_EQ(static_cast<int>(rig.wire.size()), turned_away + 1);
  rig.answer(rig.wire.size() - 1);
  ASSERT_EQ(rig.results.all.size(), 1u);
  EXPECT_EQ(rig.results.all[0].fault, Fault::none);
  EXPECT_EQ(rig.results.all[0].attempts, turned_away + 1);
  EXPECT_EQ(static_cast<int>(rig.failed.size()), turned_away);
}

TEST(Outage, OneProbeGoesAtATimeHoweverManyRequestsWait) {
  test::PatientRig rig;
  rig.model.limits.concurrency = 8;
  rig.model.patience.seconds = 3600;
  for (int i = 0; i < 20; ++i) rig.ask();
  EXPECT_EQ(rig.wire.size(), 8u);
  for (std::size_t i = 0; i < 10; ++i) rig.turn_away(i, 503);  // two went before the third failure
  for (std::size_t probes = 1; probes < 6; ++probes) {
    rig.clock.advance(60);
    ASSERT_EQ(rig.wire.size(), 10 + probes);
    rig.clock.advance(60);
    ASSERT_EQ(rig.wire.size(), 10 + probes) << "the others wait for what becomes of it";
    rig.turn_away(10 + probes - 1, 503);
  }
  rig.clock.advance(60);
  rig.answer(15);
  EXPECT_EQ(rig.wire.size(), 16u + 8u) << "an answer lets all others go";
}

TEST(Outage, EachProbeIsAnotherRequest) {
  test::PatientRig rig;
  rig.model.limits.concurrency = 3;
  for (const char* text : {"q1", "q2", "q3"}) rig.ask(text);
  for (std::size_t i = 0; i < 3; ++i) rig.turn_away(i, 500);
  std::set<std::string> probed;
  for (int i = 0; i < 6; ++i) {
    rig.clock.advance(60);
    for (const char* text : {"q1", "q2", "q3"})
      if (rig.last().request.body.find(text) != std::string::npos) probed.insert(text);
    rig.turn_away(rig.wire.size() - 1, 500);
  }
  EXPECT_EQ(probed.size(), 3u) << "one that makes the server fail must not stand for all";
}

TEST(Outage, TheFirstEventOfAProbeLetsTheOthersGo) {
  test::PatientRig rig;
  for (int i = 0; i < 3; ++i) rig.ask();
  for (std::size_t i = 0; i < 3; ++i) rig.turn_away(i, 503);
  rig.clock.advance(10);
  ASSERT_EQ(rig.wire.size(), 4u);
  rig.wire[3].handlers.head({200, {{"Content-Type", "text/event-stream"}}});
  rig.wire[3].handlers.body(": a comment says nothing\n\n");
  rig.clock.advance(10);
  EXPECT_EQ(rig.wire.size(), 4u);
  rig.wire[3].handlers.body("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n");
  rig.clock.advance(10);
  EXPECT_EQ(rig.wire.size(), 6u);
}

TEST(Outage, WhenPatienceEndsAllWaitingRequestsFail) {
  test::PatientRig rig;
  rig.model.limits.concurrency = 2;
  for (int i = 0; i < 5; ++i) rig.ask();
  rig.stay_out(599);
  EXPECT_TRUE(rig.results.all.empty());
  rig.stay_out(5);
  ASSERT_EQ(rig.results.all.size(), 5u);
  for (const auto& result : rig.results.all) {
    EXPECT_EQ(result.fault, Fault::endpoint);
    EXPECT_EQ(result.status, LlmStatus::overloaded);
    EXPECT_THAT(result.detail, HasSubstr("HTTP 503"));
    EXPECT_THAT(result.detail, HasSubstr("patience"));
    EXPECT_EQ(result.usage, Usage{});
    EXPECT_EQ(result.unsettled, Cost{});
    EXPECT_EQ(result.endpoint, "https://api.example/v1/chat/completions");
  }
  // Nothing but the end of the outage helps a later one either.
  rig.ask("late");
  rig.stay_out(1);
  EXPECT_EQ(rig.results.all.size(), 6u);
  EXPECT_EQ(rig.results.all.back().fault, Fault::endpoint);
}

TEST(Outage, ANewRequestIsNotSent) {
  test::PatientRig rig;
  rig.ask();
  rig.stay_out(100);
  const auto sent = rig.wire.size();
  rig.ask("late");
  EXPECT_EQ(rig.wire.size(), sent);
}

TEST(Outage, AnAnswerRestartsPatience) {
  test::PatientRig rig;
  rig.ask();
  rig.stay_out(500);
  rig.ask("second");
  rig.clock.advance(60);
  rig.answer(rig.wire.size() - 1);
  rig.skip();
  rig.stay_out(400);
  EXPECT_EQ(rig.results.all.size(), 1u) << "900 s after the first failure";
}

TEST(Outage, ARequestThatFailsAloneIsItsOwnFault) {
  test::PatientRig rig;
  rig.ask("poison");
  for (double second = 0; second < 700; second += 1) {
    if (static_cast<int>(second) % 5 == 0) rig.ask("fine");
    for (auto& sent : rig.wire) {
      if (!sent.handlers.end) continue;
      if (sent.request.body.find("poison") != std::string::npos)
        sent.answer(500, {}, "");
      else
        sent.answer_text("ok");
      rig.clock.run();
    }
    rig.clock.advance(1);
  }
  std::vector<LlmResult> failed;
  for (const auto& result : rig.results.all)
    if (!result.ok()) failed.push_back(result);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].fault, Fault::request);
  EXPECT_EQ(failed[0].status, LlmStatus::server_error);
  EXPECT_THAT(failed[0].detail, HasSubstr("answers other requests"));
}

TEST(Outage, LateAnswersToEarlierRequestsDoNotBlameTheRequest) {
  test::PatientRig rig;
  constexpr std::size_t kUnderWay = 30;  // enough that one comes between any two tries in all its patience
  rig.model.limits.concurrency = kUnderWay + 1;
  for (std::size_t i = 0; i < kUnderWay; ++i) rig.ask("under way");
  rig.ask("waits");
  for (std::size_t i = 0; i < kUnderWay; ++i) {
    for (int second = 0; second < 200 && !rig.last().handlers.end; ++second) rig.clock.advance(1);
    ASSERT_TRUE(rig.last().handlers.end) << "it has given up, or is not tried again";
    rig.clock.advance(30);
    rig.turn_away(rig.wire.size() - 1, 503);
    rig.clock.advance(0.1);
    rig.answer(i);
  }
  rig.skip();
  rig.stay_out(700);
  ASSERT_EQ(rig.results.all.size(), kUnderWay + 1);
  EXPECT_EQ(rig.results.all.back().fault, Fault::endpoint);
}

TEST(Outage, OneAnswerBetweenTwoOutagesDoesNotBlameTheRequest) {
  test::PatientRig rig;
  rig.model.limits.concurrency = 2;
  rig.ask("waits");
  rig.stay_out(300);
  rig.ask("lucky");
  while (rig.results.all.empty()) {
    rig.clock.advance(1);
    for (std::size_t i = 0; i < rig.wire.size(); ++i) {
      if (!rig.wire[i].handlers.end) continue;
      if (rig.wire[i].request.body.find("lucky") != std::string::npos)
        rig.answer(i);
      else
        rig.turn_away(i, 503);
    }
  }
  rig.skip();
  rig.stay_out(700);
  ASSERT_EQ(rig.results.all.size(), 2u);
  EXPECT_EQ(rig.results.all[1].fault, Fault::endpoint);
}

TEST(Outage, ATotalTimeOutOpensTheBreakerAndEndsTheQuickAttempts) {
  test::PatientRig rig;
  rig.model.retries.attempts = 5;
  rig.ask("a");
  rig.clock.advance(1800);
  rig.break_off(0, {HttpEndKind::total_timeout, "too long"});
  rig.ask("b");
  EXPECT_EQ(rig.wire.size(), 1u);
  rig.clock.advance(1);  // the pause: ¾ of a second
  ASSERT_EQ(rig.wire.size(), 2u);
  EXPECT_DOUBLE_EQ(rig.wire[1].request.timeouts.total, 1800);
}

TEST(Outage, QuickAttemptsShareTheTotalTime) {
  test::PatientRig rig;
  rig.model.retries.attempts = 5;
  rig.ask();
  rig.clock.advance(1000);
  rig.break_off(0, {HttpEndKind::stalled, "nothing came"});
  rig.clock.advance(10);
  ASSERT_EQ(rig.wire.size(), 2u);
  EXPECT_DOUBLE_EQ(rig.wire[1].request.timeouts.total, 800);
}

TEST(Outage, EntriesWithOneOriginShareABreaker) {
  test::PatientRig rig;
  rig.start();
  auto other = rig.model;
  other.name = "other";
  other.base_url = "https://api.example/v2";
  auto elsewhere = rig.model;
  elsewhere.base_url = "https://api.elsewhere/v1";
  const auto second = rig.make(other);
  const auto third = rig.make(elsewhere);
  for (int i = 0; i < 3; ++i) rig.ask();
  for (std::size_t i = 0; i < 3; ++i) rig.turn_away(i, 503);
  second->complete(rig.request("x"), rig.results.keep());
  third->complete(rig.request("y"), rig.results.keep());
  rig.clock.run();
  ASSERT_EQ(rig.wire.size(), 4u);
  EXPECT_THAT(rig.wire[3].request.url, HasSubstr("elsewhere"));
  rig.clock.advance(10);
  ASSERT_EQ(rig.wire.size(), 5u) << "one probe for both entries";
  rig.answer(4);
  EXPECT_EQ(rig.wire.size(), 8u);
}

TEST(Outage, ADestroyedClientFreesItsProbe) {
  test::PatientRig rig;
  rig.start();
  const auto second = rig.make(rig.model);
  for (int i = 0; i < 3; ++i) rig.ask();
  for (std::size_t i = 0; i < 3; ++i) rig.turn_away(i, 503);
  rig.clock.advance(10);
  ASSERT_EQ(rig.wire.size(), 4u);
  second->complete(rig.request("x"), rig.results.keep());
  rig.clock.advance(10);
  ASSERT_EQ(rig.wire.size(), 4u);
  rig.client.reset();
  rig.clock.advance(1);
  EXPECT_EQ(rig.wire.size(), 5u);
}

TEST(Outage, IsReportedWithHostReasonAndNextProbe) {
  test::PatientRig rig;
  rig.ask();
  const auto began = rig.clock.wall;
  rig.break_off(0, {HttpEndKind::connect_failed, "no connection", "connection refused", false});
  rig.clock.advance(1);
  rig.turn_away(1, 503);
  EXPECT_TRUE(rig.states.empty()) << "quick tries are nobody's concern";
  rig.clock.advance(3);
  rig.turn_away(2, 503);
  ASSERT_EQ(rig.states.size(), 1u);
  EXPECT_EQ(rig.states[0].model, "m");
  EXPECT_EQ(rig.states[0].host, "api.example");
  EXPECT_TRUE(rig.states[0].waiting);
  EXPECT_EQ(rig.states[0].why, "503");
  EXPECT_EQ(rig.states[0].since, began);
  EXPECT_EQ(rig.states[0].next_probe, rig.clock.wall + std::chrono::milliseconds(750));
  rig.clock.advance(10);
  ASSERT_EQ(rig.states.size(), 2u) << "it is probed";
  EXPECT_TRUE(rig.states[1].waiting);
  EXPECT_EQ(rig.states[1].next_probe, rig.clock.wall);
  rig.turn_away(3, 502);
  ASSERT_EQ(rig.states.size(), 3u);
  EXPECT_EQ(rig.states[2].why, "502");
  rig.clock.advance(10);
  rig.answer(4);
  ASSERT_EQ(rig.states.size(), 5u);
  EXPECT_FALSE(rig.states[4].waiting);
  EXPECT_EQ(rig.states[4].since, began);
}

}  // namespace
}  // namespace ridgeline::llm
