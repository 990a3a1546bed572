#include "engine/core/counted_reasons.hpp"

#include <gtest/gtest.h>

namespace ridgeline {
namespace {

TEST(CountedReasons, TheMostFrequentComesFirst) {
  EXPECT_EQ(counted_reasons("incomplete", {{"interrupted", 3}, {"running", 2}, {"a cap", 9}}),
            "incomplete: 14 (9 a cap, 3 interrupted, 2 running)");
}

TEST(CountedReasons, AddsUpAllReasonsBeyondFour) {
  EXPECT_EQ(counted_reasons("lost", {{"a", 5}, {"b", 4}, {"c", 3}, {"d", 2}, {"e", 1}, {"f", 1}}),
            "lost: 16 (5 a, 4 b, 3 c, 2 d, 2 for other reasons)");
}

}  // namespace
}  // namespace ridgeline
