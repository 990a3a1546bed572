#include "engine/torch_slim/misses.hpp"

#include <gmock/gmock.h>

namespace ridgeline::torch_slim {
namespace {

using testing::HasSubstr;

TEST(TorchSlimMisses, SayNothingBeforeTheFirstModule) {
  EXPECT_EQ(Misses{}.summary(), "");
}

TEST(TorchSlimMisses, LogTheStandInsFirstErrorInALine) {
  Misses misses;
  EXPECT_EQ(misses.count(Build::slim, ""), std::nullopt);
  const auto line = misses.count(Build::torch, "answer.py:3: error: 'from_blob' is not a member of 'torch'");
  ASSERT_TRUE(line);
  EXPECT_THAT(*line, HasSubstr("(1 of 2 so far)"));
  EXPECT_THAT(*line, HasSubstr("'from_blob' is not a member"));
}

TEST(TorchSlimMisses, DoNotCountWrongSources) {
  Misses misses;
  for (int i = 0; i < 3; ++i) misses.count(Build::slim, "");
  misses.count(Build::torch, "error: a");
  EXPECT_EQ(misses.count(Build::neither, "error: b"), std::nullopt);
  EXPECT_EQ(misses.count(Build::torch_not_used, "error: c"), std::nullopt);
  EXPECT_EQ(
      misses.summary(),
      "torch_slim: stand-ins for torch 2.11: 6 modules, 3 built with them, 1 needed torch's own headers "
      "(25.0 %)");
}

}  // namespace
}  // namespace ridgeline::torch_slim
