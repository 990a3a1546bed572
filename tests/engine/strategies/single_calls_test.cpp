// single_shot and best_of_n: no feedback, no second thought.
#include "engine/strategies/best_of_n.hpp"
#include "engine/strategies/single_shot.hpp"
#include "tests/engine/strategies/fake_effects.hpp"

namespace ridgeline::strategies {
namespace {

using testing::FakeEffects;

TEST(SingleShot, AsksOnceAndEndsWhateverComes) {
  for (const auto status :
       {AnswerStatus::no_code, AnswerStatus::model_failed, AnswerStatus::budget_exhausted}) {
    FakeEffects effects([&](const Ask&, int, std::size_t) { return testing::without_kernel(status); });
    EXPECT_TRUE(testing::run(single_shot(effects, Brief{testing::any_task}, {.temperature = 0.2})));
    ASSERT_EQ(effects.batches.size(), 1u);
    ASSERT_EQ(effects.batches[0].asks.size(), 1u);
    const auto& ask = effects.batches[0].asks[0];
    EXPECT_EQ(ask.role, "single_shot/generate");
    EXPECT_EQ(ask.temperature, 0.2);
    EXPECT_EQ(ask.change, nullptr);
    EXPECT_TRUE(ask.feedback.empty());
  }
}

TEST(BestOfN, AsksAllInOneBatchOfEqualRequests) {
  FakeEffects effects([](const Ask&, int, std::size_t slot) {
    return slot % 2 ? testing::incorrect("b") : testing::correct("a", 2);
  });
  EXPECT_TRUE(testing::run(best_of_n(effects, Brief{testing::any_task}, {.n = 7, .temperature = {}})));
  ASSERT_EQ(effects.batches.size(), 1u);
  EXPECT_EQ(effects.batches[0].kind, Effects::Kind::ask_and_evaluate);
  ASSERT_EQ(effects.batches[0].asks.size(), 7u);
  for (const auto& ask : effects.batches[0].asks) {
    EXPECT_EQ(ask.role, "best_of_n/generate");
    EXPECT_FALSE(ask.temperature.has_value());
    EXPECT_TRUE(ask.feedback.empty());
  }
}

TEST(SingleCalls, ShowExamplesAndTheMachineAsTheirSettingsSay) {
  FakeEffects effects([](const Ask&, int, std::size_t) { return testing::incorrect("b"); });
  EXPECT_TRUE(testing::run(single_shot(effects, Brief{testing::any_task}, {.examples = Examples::one})));
  EXPECT_TRUE(testing::run(
      best_of_n(effects, Brief{testing::any_task}, {.n = 2, .examples = Examples::few, .hardware = true})));
  const auto& shot = effects.batches.at(0).asks.at(0);
  EXPECT_EQ(shot.examples, Examples::one);
  EXPECT_FALSE(shot.hardware);
  for (const auto& ask : effects.batches.at(1).asks) {
    EXPECT_EQ(ask.examples, Examples::few);
    EXPECT_TRUE(ask.hardware);
  }
}

}  // namespace
}  // namespace ridgeline::strategies
