#include "engine/worker/judge/timing/plain_looks.hpp"

#include <gtest/gtest.h>

namespace ridgeline::judge {
namespace {

/// How many of `calls` are looked at where each look takes `seconds`.
std::size_t looked_at(std::size_t calls, double seconds, std::size_t together, std::size_t done = 0) {
  PlainLooks looks(done, calls);
  double elapsed = 0;
  while (const auto count = looks.next(together, elapsed)) {
    EXPECT_LE(count, together);
    looks.did(count);
    elapsed += static_cast<double>(count) * seconds;
  }
  return looks.done();
}

TEST(PlainLooks, AllOfQuickOnesButNoMoreThanTheMost) {
  for (const std::size_t together : {1, 8, 32}) {
    EXPECT_EQ(looked_at(80, 1e-5, together), 80u);
    EXPECT_EQ(looked_at(1000, 1e-5, together, 2), PlainLooks::most);
    EXPECT_EQ(looked_at(3, 1e-5, together), 3u);
  }
  EXPECT_EQ(looked_at(2, 1e-5, 8, 2), 2u);
}

TEST(PlainLooks, SlowerOnesWithinTheirTimeAndTheLeastInAnyCase) {
  for (const std::size_t together : {1, 8, 32}) {
    EXPECT_NEAR(static_cast<double>(looked_at(80, 1e-3, together)), 20, 1);
    EXPECT_EQ(looked_at(80, 10e-3, together), PlainLooks::least);
  }
}

TEST(PlainLooks, OfLongOnesFewer) {
  EXPECT_EQ(looked_at(80, 0.04, 1), 6u);
  EXPECT_EQ(looked_at(80, 1, 1), PlainLooks::few);
  EXPECT_EQ(looked_at(80, 1, 8, 2), PlainLooks::few) << "with two that were compared in full";
  EXPECT_EQ(looked_at(80, 1, 8, 5), 6u) << "one look says how long they take";
}

TEST(PlainLooks, TheFirstAreLookedAtWhole) {
  PlainLooks looks(2, 80);
  EXPECT_EQ(looks.next(8, 0), 2u) << "until one knows how long they take";
  looks.did(2);
  EXPECT_TRUE(looks.wholly());
  EXPECT_EQ(looks.next(8, 1e-3), 2u);
  looks.did(2);
  EXPECT_FALSE(looks.wholly());
  EXPECT_EQ(looks.next(32, 2e-3), 6u) << "to the least";
  looks.did(6);
  EXPECT_EQ(looks.next(32, 3e-3), 32u);
}

}  // namespace
}  // namespace ridgeline::judge
