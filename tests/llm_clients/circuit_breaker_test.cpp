#include "llm_clients/circuit_breaker.hpp"

#include <gtest/gtest.h>

#include "llm_clients/timers.hpp"

namespace ridgeline::llm {
namespace {

struct Breaker {
  CircuitBreaker breaker;
  CircuitBreaker::Time now{std::chrono::hours(1)};
  CircuitBreaker::Pauses pauses{.base = 1, .longest = 900};
  CircuitBreaker::Probe latest = CircuitBreaker::Probe::none;
  double random = 0.999'999;  // the pauses are as long as they may be

  bool goes() const { return std::holds_alternative<CircuitBreaker::Go>(breaker.decide(now)); }
  bool probed() const { return std::holds_alternative<CircuitBreaker::WaitForProbe>(breaker.decide(now)); }
  /// Seconds until a probe may go, -1 where nobody waits for the clock.
  double pause() const {
    const auto decision = breaker.decide(now);
    const auto* until = std::get_if<CircuitBreaker::WaitUntil>(&decision);
    return until ? std::chrono::duration<double>(until->time - now).count() : -1;
  }
  void fail(CircuitBreaker::FailureHints trouble = {}, bool probe = false) {
    breaker.failed(now, probe ? latest : CircuitBreaker::Probe::none, trouble, pauses, random);
  }
  void open() {
    for (int i = 0; i < 3; ++i) fail();
  }
  /// Waits for the pause and sends the probe.
  void probe() {
    now += clock_seconds(pause() + 1e-6);
    ASSERT_TRUE(goes());
    latest = breaker.begin_request(now);
    ASSERT_NE(latest, CircuitBreaker::Probe::none);
  }
  /// A failure of a probe that is not the latest.
  void fail_late(CircuitBreaker::Probe earlier) { breaker.failed(now, earlier, {}, pauses, random); }
};

TEST(CircuitBreaker, OpensAfterThreeFailuresInARow) {
  Breaker b;
  b.fail();
  b.fail();
  EXPECT_TRUE(b.goes());
  EXPECT_EQ(b.breaker.begin_request(b.now), CircuitBreaker::Probe::none) << "closed: no request is a probe";
  b.fail();
  EXPECT_FALSE(b.goes());
  EXPECT_NEAR(b.pause(), 1, 1e-3);
}

TEST(CircuitBreaker, ASuccessResetsTheCount) {
  Breaker b;
  for (int i = 0; i < 20; ++i) {
    b.fail();
    b.fail();
    b.breaker.succeeded();
  }
  EXPECT_TRUE(b.goes());
}

TEST(CircuitBreaker, OpensAtOnceAfterATotalTimeOutOrAServersWait) {
  Breaker timed_out;
  timed_out.fail({.opens_at_once = true});
  EXPECT_NEAR(timed_out.pause(), 1, 1e-3);
  Breaker told;
  told.random = 0.5;
  told.fail({.wait_s = 30});
  EXPECT_NEAR(told.pause(), 30.5, 1e-3) << "the wait and a jitter of up to the base";
}

TEST(CircuitBreaker, LetsOneProbeGo) {
  Breaker b;
  b.open();
  b.probe();
  EXPECT_TRUE(b.probed());
  EXPECT_FALSE(b.goes());
  b.breaker.succeeded();
  EXPECT_TRUE(b.goes());
}

TEST(CircuitBreaker, PausesDoubleUpToTheLongestAndStartAgainAfterASuccess) {
  Breaker b;
  b.pauses.longest = 10;
  b.open();
  for (const double expected : {1, 2, 4, 8, 10, 10}) {
    EXPECT_NEAR(b.pause(), expected, 1e-3);
    b.probe();
    b.fail({}, true);
  }
  b.probe();
  b.breaker.succeeded();
  b.open();
  EXPECT_NEAR(b.pause(), 1, 1e-3);
}

TEST(CircuitBreaker, JitterShortensAPauseByUpToHalf) {
  Breaker b;
  b.random = 0;
  b.pauses.base = 8;
  b.open();
  EXPECT_NEAR(b.pause(), 4, 1e-3);
}

TEST(CircuitBreaker, TheServersWaitIsALowerBoundOfEachPause) {
  Breaker b;
  b.random = 0;
  b.fail({.wait_s = 5});
  EXPECT_NEAR(b.pause(), 5, 1e-3);
  b.probe();
  b.fail({.wait_s = 7}, true);
  EXPECT_NEAR(b.pause(), 7, 1e-3);
  b.fail({.wait_s = 60});  // sent before: what it saw is known, what the server said counts
  EXPECT_NEAR(b.pause(), 60, 1e-3);
}

TEST(CircuitBreaker, FailuresOfEarlierRequestsDoNotProlongThePause) {
  Breaker b;
  b.open();
  for (int i = 0; i < 50; ++i) b.fail();
  EXPECT_NEAR(b.pause(), 1, 1e-3);
  b.probe();
  b.fail();
  EXPECT_TRUE(b.probed());
  b.fail({}, true);
  EXPECT_NEAR(b.pause(), 2, 1e-3);
}

TEST(CircuitBreaker, AnyAnswerClosesIt) {
  Breaker b;
  b.open();
  b.breaker.succeeded();
  EXPECT_TRUE(b.goes());
  EXPECT_TRUE(b.breaker.closed());
}

TEST(CircuitBreaker, TheBeginningOfAProbesAnswerLetsOthersGoOnTrial) {
  Breaker b;
  b.open();
  b.probe();
  EXPECT_TRUE(b.breaker.began(b.latest));
  EXPECT_TRUE(b.goes());
  b.fail({}, true);  // it broke off: open at once, for the next pause
  EXPECT_NEAR(b.pause(), 2, 1e-3);
  b.probe();
  EXPECT_FALSE(b.breaker.began(b.latest)) << "beginnings do not count any more";
  EXPECT_TRUE(b.probed());
  b.breaker.succeeded();
  b.open();
  b.probe();
  EXPECT_TRUE(b.breaker.began(b.latest)) << "a whole answer makes them count again";
}

TEST(CircuitBreaker, AnAbandonedProbeIsReplaced) {
  Breaker b;
  b.open();
  b.probe();
  EXPECT_TRUE(b.breaker.abandoned(b.latest));
  EXPECT_TRUE(b.goes());
  EXPECT_NE(b.breaker.begin_request(b.now), CircuitBreaker::Probe::none);
}

TEST(CircuitBreaker, AProbeThatBreaksOffAfterItsTrialEndedDoesNotDoubleThePauseAgain) {
  Breaker b;
  b.open();
  b.probe();
  EXPECT_TRUE(b.breaker.began(b.latest));
  b.fail();  // another request ends the trial
  EXPECT_NEAR(b.pause(), 2, 1e-3);
  b.fail({}, true);
  EXPECT_NEAR(b.pause(), 2, 1e-3) << "the same outage, of which the breaker knows";
}

TEST(CircuitBreaker, AProbeOfAnEarlierOutageSaysNothingOfTheNextOne) {
  Breaker b;
  b.open();
  b.probe();
  const auto earlier = b.latest;
  b.breaker.succeeded();  // the answer to a request that was sent before
  b.open();
  b.fail_late(earlier);
  EXPECT_NEAR(b.pause(), 1, 1e-3) << "the pause of the new outage is its first";
  b.probe();
  EXPECT_NE(b.latest, earlier);
  b.fail_late(earlier);
  EXPECT_TRUE(b.probed()) << "the new probe decides";
  EXPECT_FALSE(b.breaker.began(earlier));
  EXPECT_FALSE(b.breaker.abandoned(earlier)) << "or two probes would go at once";
  EXPECT_TRUE(b.probed());
  b.fail({}, true);
  EXPECT_NEAR(b.pause(), 2, 1e-3);
}

TEST(CircuitBreaker, ABaseOfZeroStillHasPauses) {
  Breaker b;
  b.pauses.base = 0;
  b.open();
  EXPECT_GT(b.pause(), 0.01);
  for (int i = 0; i < 100; ++i) {
    b.probe();
    b.fail({}, true);
  }
  EXPECT_NEAR(b.pause(), 900, 1e-3);
}

}  // namespace
}  // namespace ridgeline::llm
