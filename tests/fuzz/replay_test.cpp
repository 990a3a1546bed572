// Runs the seeds of every fuzzing target, and a few hundred changes of each, in the normal build.
#include <gtest/gtest.h>

#include "engine/core/statistics.hpp"
#include "tests/fuzz/target.hpp"

namespace ridgeline::fuzz {
namespace {

class FuzzingSeeds : public testing::TestWithParam<const Target*> {};

TEST_P(FuzzingSeeds, KeepEveryPromise) {
  const auto& target = *GetParam();
  const auto seeds = target.seeds();
  ASSERT_FALSE(seeds.empty());
  for (std::size_t i = 0; i < seeds.size(); ++i) EXPECT_NO_THROW(target.run(seeds[i])) << "seed " << i;
}

TEST_P(FuzzingSeeds, KeepEveryPromiseWhenTheyAreCutOrChanged) {
  const auto& target = *GetParam();
  Random random(28);
  for (const auto& seed : target.seeds()) {
    // Long ones take tenths of a second.
    for (int turn = 0, turns = seed.size() > 10'000 ? 2 : 40; turn < turns; ++turn) {
      auto changed = seed.substr(0, turn % 4 == 0 ? random.below(seed.size() + 1) : seed.size());
      for (std::size_t i = random.below(4); i > 0 && !changed.empty(); --i)
        changed[random.below(changed.size())] = static_cast<char>(random.below(256));
      if (target.mutate && turn % 2 == 0)
        if (auto mutated = target.mutate(seed, 1 << 20, static_cast<unsigned>(random.next()));
            !mutated.empty())
          changed = std::move(mutated);
      EXPECT_NO_THROW(target.run(changed)) << testing::PrintToString(changed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, FuzzingSeeds,
                         testing::Values(&replies, &sheets, &artefacts, &recordings, &frames, &descriptions,
                                         &orders),
                         [](const auto& tested) { return tested.param->name; });

}  // namespace
}  // namespace ridgeline::fuzz
