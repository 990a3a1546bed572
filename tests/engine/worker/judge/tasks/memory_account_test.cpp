#include "engine/worker/judge/tasks/memory_account.hpp"

#include <gtest/gtest.h>

namespace ridgeline::judge {
namespace {

constexpr double kGiB = 1 << 30;

TEST(MemoryAccount, KeepsTheMostOfEachStageAndOfEachProcess) {
  MemoryAccount account;
  account.begin();
  EXPECT_EQ(account.text(), "");
  account.enter(Stage::correctness);
  account.saw({10 * kGiB, 2 * kGiB, 1 * kGiB});
  account.saw({4 * kGiB, 1 * kGiB, 9 * kGiB});
  account.enter(Stage::timing);
  account.saw({1.25 * kGiB, 0, 0.5 * kGiB});
  EXPECT_EQ(account.text(),
            "correctness: judge 10.0, oracle 2.0, runners 9.0, together 14.0 GiB; "
            "timing: judge 1.2, oracle 0.0, runners 0.5, together 1.8 GiB");
  account.begin();
  EXPECT_EQ(account.text(), "") << "of the candidate before";
}

}  // namespace
}  // namespace ridgeline::judge
