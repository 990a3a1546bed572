#include "engine/worker/judge/sampling/full_comparisons.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ridgeline::judge {
namespace {

using Counts = std::vector<std::size_t>;

TEST(FullComparisons, MakeOneForEachCaseAndTwoForALoneCase) {
  Random random(1);
  EXPECT_EQ(full_comparisons({0.01}, random), Counts({2}));
  EXPECT_EQ(full_comparisons({0.01, 0.2, 0.0}, random), Counts({1, 1, 1}));
  EXPECT_EQ(full_comparisons({}, random), Counts());
}

TEST(FullComparisons, MakeOneLongExpectationForARandomCase) {
  Random random(1);
  EXPECT_EQ(full_comparisons({3.0}, random), Counts({1}));
  std::set<Counts> seen;
  for (int i = 0; i < 50; ++i) seen.insert(full_comparisons({0.01, 3.0, 0.5}, random));
  EXPECT_EQ(seen, (std::set<Counts>{{1, 1, 0}, {1, 0, 1}}))
      << "a long one always, and short ones all the same";
}

TEST(FullComparisons, MakeOneForEachLongCaseWithoutOutputChecks) {
  Random random(1);
  EXPECT_EQ(full_comparisons({0.01, 3.0, 0.5, std::nullopt}, random, /*have_output_checks=*/false),
            Counts({1, 1, 1, 0}));
}

TEST(FullComparisons, MakeNoneWithoutMemoryForAnExpectation) {
  Random random(1);
  EXPECT_EQ(full_comparisons({std::nullopt}, random), Counts({0}));
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(full_comparisons({std::nullopt, 3.0}, random), Counts({0, 1})) << "the choice is not wasted";
}

}  // namespace
}  // namespace ridgeline::judge
