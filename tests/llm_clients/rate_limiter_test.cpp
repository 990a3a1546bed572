#include "llm_clients/rate_limiter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ridgeline::llm {
namespace {

using namespace std::chrono_literals;
using Time = RateLimiter::Time;

struct LimiterRig {
  Time now{1h};
  RateLimiter limiter;
  std::vector<std::uint64_t> tickets;

  explicit LimiterRig(Limits limits) : limiter(limits) {}
  /// Seconds to wait, 0 for go, -1 for waiting until something finishes.
  double start(std::int64_t tokens = 0) {
    const auto decision = limiter.start(now, tokens);
    if (const auto* wait = std::get_if<RateLimiter::WaitUntil>(&decision))
      return std::chrono::duration<double>(wait->time - now).count();
    if (const auto* go = std::get_if<RateLimiter::Go>(&decision)) tickets.push_back(go->ticket);
    return std::holds_alternative<RateLimiter::Go>(decision) ? 0 : -1;
  }
  void finish(std::size_t which, std::optional<std::int64_t> used = {}) {
    limiter.finish(now, tickets.at(which), used);
  }
};

Limits requests(int a_minute) {
  return {.requests_per_minute = a_minute, .tokens_per_minute = 0, .concurrency = 0};
}
Limits tokens(int a_minute) {
  return {.requests_per_minute = 0, .tokens_per_minute = a_minute, .concurrency = 0};
}

TEST(RateLimiter, WithoutLimitsNothingWaits) {
  LimiterRig rig({.requests_per_minute = 0, .tokens_per_minute = 0, .concurrency = 0});
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(rig.start(1'000'000), 0);
  EXPECT_EQ(rig.limiter.under_way(), 1000u);
}

TEST(RateLimiter, TheFirstMinuteAllowsTheLimitAndNoMore) {
  LimiterRig rig(requests(3));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rig.start(), 0);
  EXPECT_EQ(rig.start(), 60);
  rig.now += 60s;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rig.start(), 0);
  EXPECT_EQ(rig.start(), 60);
}

TEST(RateLimiter, ReportedUsageReplacesReservedTokens) {
  LimiterRig rig(tokens(600));
  EXPECT_EQ(rig.start(500), 0);
  EXPECT_EQ(rig.start(200), 60);
  rig.finish(0, 300);  // it used less: 300 are left
  EXPECT_EQ(rig.start(200), 0);
  rig.now += 30s;
  rig.finish(1, 900);  // it used more than anybody knew: that counts from now on
  EXPECT_EQ(rig.start(0), 60) << "700 too many fill a minute and 100 of the next";
  rig.now += 60s;
  EXPECT_EQ(rig.start(500), 0);
  EXPECT_EQ(rig.start(1), 60);
}

TEST(RateLimiter, ARequestOverTheLimitCountsForSeveralMinutes) {
  LimiterRig rig(tokens(600));
  EXPECT_EQ(rig.start(6000), 0);
  EXPECT_EQ(rig.start(1), 600);
  rig.now += 599s;
  EXPECT_EQ(rig.start(1), 1);
  rig.now += 1s;
  EXPECT_EQ(rig.start(1), 0);
  LimiterRig huge(tokens(1));
  EXPECT_EQ(huge.start(10'000'000'000'000), 0);
  EXPECT_GT(huge.start(1), 0);
}

TEST(RateLimiter, ALargeRequestWaitsUntilNothingElseCounts) {
  LimiterRig rig(tokens(600));
  EXPECT_EQ(rig.start(100), 0);
  rig.now += 20s;
  EXPECT_EQ(rig.start(100), 0);
  EXPECT_EQ(rig.start(6000), 60);
  EXPECT_EQ(rig.start(500), 40) << "one that fits need only wait for the first";
}

TEST(RateLimiter, LimitsConcurrencyAndPauses) {
  LimiterRig rig({.requests_per_minute = 0, .tokens_per_minute = 0, .concurrency = 1});
  EXPECT_EQ(rig.start(), 0);
  EXPECT_EQ(rig.start(), -1);
  rig.finish(0);
  rig.limiter.pause_until(rig.now + 5s);
  rig.limiter.pause_until(rig.now + 2s);  // an earlier one takes nothing back
  EXPECT_EQ(rig.start(), 5);
  rig.now += 5s;
  EXPECT_EQ(rig.start(), 0);
}

struct Started {
  Time time;
  double tokens;  ///< what it used in the end, or reserves while it runs
};

/// The most that any 60 seconds hold; they may begin anywhere, and the worst begin with a start.
template <class Amount>
double fullest_minute(const std::vector<Started>& all, Amount amount) {
  double most = 0;
  for (std::size_t first = 0; first < all.size(); ++first) {
    double sum = 0;
    for (std::size_t i = first; i < all.size() && all[i].time < all[first].time + 60s; ++i)
      sum += amount(all[i]);
    most = std::max(most, sum);
  }
  return most;
}

TEST(RateLimiter, NoMinuteExceedsTheLimitWhereverItBegins) {
  std::mt19937 random(1);
  const auto draw = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  int waited = 0;
  for (int run = 0; run < 200; ++run) {
    const int requests_limit = draw(1, 40), tokens_limit = draw(100, 5000);
    LimiterRig rig({.requests_per_minute = requests_limit,
                    .tokens_per_minute = tokens_limit,
                    .concurrency = draw(0, 1) ? draw(1, 20) : 0});
    std::vector<Started> started;
    std::vector<std::size_t> running;
    for (int i = 0; i < 300; ++i) {
      rig.now += std::chrono::milliseconds(draw(0, 1) ? draw(0, 50) : draw(0, 20'000));
      while (!running.empty() && draw(0, 2) == 0) {
        const auto which = running.back();
        running.pop_back();
        // An answer uses what was reserved or less; one in three says nothing.
        if (draw(0, 2) != 0) started[which].tokens = draw(0, static_cast<int>(started[which].tokens));
        rig.finish(which, static_cast<std::int64_t>(started[which].tokens));
      }
      const int wanted = draw(1, tokens_limit);
      double wait = rig.start(wanted);
      while (wait != 0) {
        ++waited;
        if (wait > 0) rig.now += std::chrono::ceil<Time::duration>(std::chrono::duration<double>(wait));
        if (wait < 0) {
          rig.finish(running.back());
          running.pop_back();
        }
        wait = rig.start(wanted);
      }
      running.push_back(started.size());
      started.push_back({rig.now, double(wanted)});
    }
    ASSERT_LE(fullest_minute(started, [](const Started&) { return 1.0; }), requests_limit) << run;
    ASSERT_LE(fullest_minute(started, [](const Started& one) { return one.tokens; }), tokens_limit + 0.01)
        << run;
  }
  EXPECT_GT(waited, 1000) << "the limits were felt";
}

TEST(RateLimiter, UsesTheWholeLimit) {
  LimiterRig rig(requests(30));
  int started = 0;
  for (const auto end = rig.now + 600s; rig.now < end; rig.now += 100ms)
    while (rig.start() == 0) ++started;
  EXPECT_EQ(started, 300);
}

}  // namespace
}  // namespace ridgeline::llm
