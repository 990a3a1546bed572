#include "engine/worker/judge/tasks/memory_account.hpp"

#include <gtest/gtest.h>

namespace ridgeline::judge {
namespace {

TEST(MemoryAccount, KeepsTheMostOfEachStageAndOfEachProcess) {
  MemoryAccount account;
  account.begin();
  EXPECT_TRUE(account.stages().empty());
  account.enter(Stage::correctness);
  account.saw({10e9, 2e9, 1e9});
  account.saw({4e9, 1e9, 9e9});
  account.enter(Stage::timing);
  account.saw({1.25e9, 0, 0.5e9});
  const auto seen = account.stages();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].stage, Stage::correctness);
  EXPECT_EQ(seen[0].judge, 10e9);
  EXPECT_EQ(seen[0].oracle, 2e9);
  EXPECT_EQ(seen[0].runners, 9e9);
  EXPECT_EQ(seen[0].together, 14e9);
  EXPECT_EQ(seen[1].stage, Stage::timing);
  EXPECT_EQ(seen[1].together, 1.75e9);
  account.begin();
  EXPECT_TRUE(account.stages().empty()) << "of the candidate before";
}

}  // namespace
}  // namespace ridgeline::judge
