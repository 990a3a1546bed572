#include "llm_clients/circuit_breaker.hpp"

#include <gtest/gtest.h>

#include "llm_clients/timers.hpp"

namespace ridgeline::llm {
namespace {

struct Breaker {
  CircuitBreaker breaker;
  CircuitBreaker::Time now{std::chrono::hours(1)};
  CircuitBreaker::Pauses pauses{.base = 1, .longest = 900};
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
    breaker.failed(now, probe, trouble, pauses, random);
  }
  void open() {
    for (int i = 0; i < 3; ++i) fail();
  }
  /// Waits for the pause and sends the probe.
  void probe() {
    now += clock_seconds(pause() + 1e-6);
    ASSERT_TRUE(goes());
    ASSERT_TRUE(breaker.begin_request(now));
  }
};

TEST(CircuitBreaker, OpensAfterThreeFailuresInARow) {
  Breaker b;
  b.fail();
  b.fail();
  EXPECT_TRUE(b.goes());
  EXPECT_FALSE(b.breaker.begin_request(b.now)) << "closed: no request is a probe";
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
  EXPECT_TRUE(b.breaker.began());
  EXPECT_TRUE(b.goes());
  b.fail({}, true);  // it broke off: open at once, for the next pause
  EXPECT_NEAR(b.pause(), 2, 1e-3);
  b.probe();
  EXPECT_FALSE(b.breaker.began()) << "beginnings do not count any more";
  EXPECT_TRUE(b.probed());
  b.breaker.succeeded();
  b.open();
  b.probe();
  EXPECT_TRUE(b.breaker.began()) << "a whole answer makes them count again";
}

TEST(CircuitBreaker, AnAbandonedProbeIsReplaced) {
  Breaker b;
  b.open();
  b.probe();
  b.breaker.abandoned();
  EXPECT_TRUE(b.goes());
  EXPECT_TRUE(b.breaker.begin_request(b.now));
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
