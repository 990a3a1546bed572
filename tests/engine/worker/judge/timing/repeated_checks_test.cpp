#include "engine/worker/judge/timing/repeated_checks.hpp"

#include <gtest/gtest.h>

namespace ridgeline::judge {
namespace {

TEST(RepeatedChecks, AFewErrorsInManyCallsLookLikeARace) {
  EXPECT_TRUE((RepeatedChecks{.calls = 64, .wrong = 1}).looks_like_race());
  EXPECT_TRUE((RepeatedChecks{.calls = 64, .wrong = 5}).looks_like_race());
  EXPECT_TRUE((RepeatedChecks{.calls = 32, .wrong = 2}).looks_like_race());
}

TEST(RepeatedChecks, NoErrorOrManyOrFewCallsDoNot) {
  EXPECT_FALSE((RepeatedChecks{.calls = 64, .wrong = 0}).looks_like_race());
  EXPECT_FALSE((RepeatedChecks{.calls = 64, .wrong = 6}).looks_like_race());
  EXPECT_FALSE((RepeatedChecks{.calls = 64, .wrong = 64}).looks_like_race());
  EXPECT_FALSE((RepeatedChecks{.calls = 31, .wrong = 1}).looks_like_race());
  EXPECT_FALSE(RepeatedChecks{}.looks_like_race());
}

TEST(RepeatedChecks, ARunnerThatEndsMeanwhileDoesNot) {
  EXPECT_FALSE((RepeatedChecks{.calls = 64, .wrong = 1, .ended = RunnerExit{}}).looks_like_race());
}

}  // namespace
}  // namespace ridgeline::judge
