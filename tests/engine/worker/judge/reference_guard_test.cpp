#include "engine/worker/judge/reference_guard.hpp"

#include <gtest/gtest.h>

namespace ridgeline::judge {
namespace {

constexpr double machine = 24e9;

TEST(ReferencePatience, ACallThatComputesForTenSecondsIsEnded) {
  ReferencePatience patience(machine);
  EXPECT_FALSE(patience.observe({.call = 1, .wall = 100, .cpu = 50, .available = machine}));
  EXPECT_FALSE(patience.observe({.call = 1, .wall = 109, .cpu = 59, .available = machine}));
  const auto breach = patience.observe({.call = 1, .wall = 111, .cpu = 61, .available = machine});
  ASSERT_TRUE(breach);
  EXPECT_EQ(breach->reason, Reason::task_rejected);
  EXPECT_EQ(breach->why.rfind("the reference has not ended after 11 s; ", 0), 0u) << breach->why;
}

TEST(ReferencePatience, ACallThatWaitsForABusyHostGets120Seconds) {
  ReferencePatience patience(machine);
  EXPECT_FALSE(patience.observe({.call = 1, .wall = 0, .cpu = 0, .available = machine}));
  EXPECT_FALSE(patience.observe({.call = 1, .wall = 100, .cpu = 5, .available = machine}));
  EXPECT_TRUE(patience.observe({.call = 1, .wall = 121, .cpu = 6, .available = machine}));
}

TEST(ReferencePatience, EachCallHasItsOwnTime) {
  ReferencePatience patience(machine);
  for (std::uint64_t call = 1; call < 100; ++call) {
    const auto now = 8.0 * static_cast<double>(call);
    EXPECT_FALSE(patience.observe({.call = call, .wall = now, .cpu = now, .available = machine}));
    EXPECT_FALSE(patience.observe({.call = call, .wall = now + 7, .cpu = now + 7, .available = machine}));
    EXPECT_FALSE(patience.observe({}));
  }
}

TEST(ReferencePatience, ACallIsEndedIfItHoldsTheMemoryThatTheMachineLacks) {
  const auto reason = [](double held, double available) {
    ReferencePatience patience(machine);
    const auto breach = patience.observe({.call = 1, .held = held, .available = available});
    return breach ? to_string(breach->reason) : "";
  };
  EXPECT_EQ(reason(0.95 * machine, machine), "memory_limit") << "a control group's bound: the host has more";
  EXPECT_EQ(reason(0.5 * machine, 0.01 * machine), "memory_limit");
  EXPECT_EQ(reason(0.5 * machine, 0.4 * machine), "");
  EXPECT_EQ(reason(0.01 * machine, 0.01 * machine), "") << "others took it";
}

}  // namespace
}  // namespace ridgeline::judge
