// Derives energy from a counter that moves in steps and is read between batches.
#include "profiler/energy.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ridgeline::profiler {
namespace {

/// Looks every `each` seconds at a card of `watts` that calls 1,000 times a second; renewed every 100 ms.
std::vector<EnergyReading> looks_at(double watts, double span, double each) {
  std::vector<EnergyReading> looks;
  for (int i = 0; i * each <= span; ++i) {
    const double now = i * each;
    looks.push_back({now, watts * std::floor(now / 0.1 + 1e-9) * 0.1, 1000 * now});
  }
  return looks;
}

TEST(Energy, IsMeasuredFromStepToStep) {
  const auto use = energy_use(looks_at(400, 1.25, 0.004), 10);
  ASSERT_TRUE(use);
  EXPECT_EQ(use->steps, 11);
  EXPECT_NEAR(use->watts, 400, 4);
  EXPECT_NEAR(use->joules_a_call, 0.4, 0.004);
}

TEST(Energy, LeavesOutTheTimeBeforeTheFirstStep) {
  auto looks = looks_at(400, 1.25, 0.004);
  for (auto& look : looks)
    if (look.seconds < 0.1) look.calls = 0;  // as if the calls had begun later
  EXPECT_NEAR(energy_use(looks, 10)->joules_a_call, 0.4, 0.004);
}

TEST(Energy, IsEmptyWithTooFewSteps) {
  const auto looks = looks_at(400, 0.95, 0.004);
  EXPECT_EQ(steps_of(looks), 9);
  EXPECT_FALSE(energy_use(looks, 10));
  EXPECT_TRUE(energy_use(looks, 8));
}

TEST(Energy, IsEmptyIfTheCounterDoesNotMove) {
  EXPECT_FALSE(energy_use({}, 1));
  EXPECT_FALSE(energy_use({{0, 5, 0}, {1, 5, 10}, {2, 5, 20}}, 1));
}

TEST(Energy, SpreadsCallsEvenlyOverABatch) {
  std::vector<EnergyReading> looks{{0.5, 0, 0}, {1, 0, 0}, {1.25, 0, 0}, {2, 0, 0}, {9, 0, 0}};
  count_calls(looks, {{1, 0}, {2, 100}, {3, 300}});
  const double expected[] = {0, 0, 25, 100, 300};
  for (std::size_t i = 0; i < looks.size(); ++i) EXPECT_EQ(looks[i].calls, expected[i]) << i;
  count_calls(looks, {});
}

TEST(Energy, GivesAnIdleDeviceWattsAndNoJoulesACall) {
  auto looks = looks_at(100, 0.65, 0.01);
  for (auto& look : looks) look.calls = 0;
  const auto use = energy_use(looks, 5);
  ASSERT_TRUE(use);
  EXPECT_NEAR(use->watts, 100, 2);
  EXPECT_EQ(use->joules_a_call, 0);
}

}  // namespace
}  // namespace ridgeline::profiler
