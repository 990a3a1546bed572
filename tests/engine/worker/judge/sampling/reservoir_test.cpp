#include "engine/worker/judge/sampling/reservoir.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace ridgeline::judge {
namespace {

/// Offers the numbers from held.size() to count - 1 to `reservoir`, which keeps `held`, and returns those
/// that are held in the end.
std::vector<int> kept(Reservoir& reservoir, int count, std::uint64_t seed, std::vector<int> held = {}) {
  Random random(seed);
  for (int number = static_cast<int>(held.size()); number < count; ++number) {
    const auto place = reservoir.offer(random);
    if (!place) continue;
    EXPECT_LE(*place, held.size()) << "behind the last, at most";
    if (*place == held.size()) held.push_back(0);
    held[*place] = number;
  }
  return held;
}

TEST(Reservoir, KeepsEachItemWithTheSameProbability) {
  std::map<int, int> counts;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Reservoir reservoir(3);
    const auto held = kept(reservoir, 12, seed);
    ASSERT_EQ(held.size(), 3u);
    for (const int one : held) ++counts[one];
  }
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(counts[i], 1000, 150) << i;  // five standard deviations
}

TEST(Reservoir, KeepsOneItemEvenWithoutRoom) {
  Reservoir reservoir(0);
  EXPECT_EQ(kept(reservoir, 9, 1).size(), 1u);
}

TEST(Reservoir, StartsAnewWhenCleared) {
  Reservoir reservoir(4);
  kept(reservoir, 9, 1);
  reservoir.clear();
  EXPECT_EQ(kept(reservoir, 3, 2), (std::vector{0, 1, 2}));
}

TEST(Reservoir, GoesOnBehindItemsThatWereKept) {
  Reservoir reservoir(4);
  kept(reservoir, 9, 1);
  reservoir.restart(2);
  EXPECT_EQ(kept(reservoir, 4, 2, {0, 1}), (std::vector{0, 1, 2, 3}));
}

TEST(Reservoir, ItemsThatWereKeptAreAsLikelyAsOthers) {
  std::map<int, int> counts;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Reservoir reservoir(3);
    kept(reservoir, 9, seed);
    reservoir.restart(2);
    for (const int one : kept(reservoir, 12, seed + 4000, {0, 1})) ++counts[one];
  }
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(counts[i], 1000, 150) << i;
}

}  // namespace
}  // namespace ridgeline::judge
