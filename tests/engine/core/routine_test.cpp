#include "engine/core/routine.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "engine/core/effects.hpp"

namespace ridgeline {
namespace {

/// Answers at once or when told to, and remembers what it was asked.
class ManualEffects : public Effects {
 public:
  bool at_once = true;
  std::vector<Batch> seen;
  std::vector<Done> waiting;

 private:
  void perform(Batch batch, Done done) override {
    const auto count = batch.asks.size();
    seen.push_back(std::move(batch));
    if (at_once)
      done(std::vector<Attempt>(count));
    else
      waiting.push_back(std::move(done));
  }
};

Routine<int> one_round(Effects& effects, int round) {
  std::vector<Ask> asks(2);
  const auto attempts = co_await effects.attempt_all(round, std::move(asks));
  co_return static_cast<int>(attempts.size());
}

Routine<> rounds(Effects& effects, int count, int& total) {
  for (int round = 0; round < count; ++round) {
    auto inner = one_round(effects, round);
    total += co_await std::move(inner);
  }
}

TEST(Routine, RunsToTheEndWhenEffectsAnswerAtOnceWithoutGrowingTheStack) {
  ManualEffects effects;
  int total = 0;
  bool ended = false;
  auto routine = rounds(effects, 100'000, total);
  routine.start([&](std::exception_ptr error) { ended = error == nullptr; });
  EXPECT_TRUE(ended);
  EXPECT_EQ(total, 200'000);
}

TEST(Routine, SuspendsUntilTheEffectIsDone) {
  ManualEffects effects;
  effects.at_once = false;
  int total = 0;
  bool ended = false;
  auto routine = rounds(effects, 2, total);
  routine.start([&](std::exception_ptr) { ended = true; });
  ASSERT_EQ(effects.waiting.size(), 1u);
  EXPECT_EQ(total, 0);
  effects.waiting[0](std::vector<Attempt>(2));
  ASSERT_EQ(effects.waiting.size(), 2u);
  EXPECT_EQ(total, 2);
  EXPECT_FALSE(ended);
  effects.waiting[1](std::vector<Attempt>(2));
  EXPECT_TRUE(ended);
  EXPECT_EQ(effects.seen[1].round, 1);
}

Routine<int> fails(Effects& effects) {
  std::vector<Ask> asks(1);
  co_await effects.ask_all(0, std::move(asks));
  throw std::runtime_error("inner");
}

Routine<> awaits_failure(Effects& effects) {
  auto inner = fails(effects);
  co_await std::move(inner);
}

TEST(Routine, CarriesAnExceptionThroughToTheEnd) {
  ManualEffects effects;
  std::string message;
  auto routine = awaits_failure(effects);
  routine.start([&](std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& what) {
      message = what.what();
    }
  });
  EXPECT_EQ(message, "inner");
}

TEST(Routine, DestroyedWhileSuspendedDestroysWhatItHolds) {
  ManualEffects effects;
  effects.at_once = false;
  auto alive = std::make_shared<int>(1);
  std::weak_ptr<int> watch = alive;
  {
    auto holding = [](Effects& on, std::shared_ptr<int> held) -> Routine<> {
      std::vector<Ask> asks(1);
      co_await on.ask_all(0, std::move(asks));
      *held = 2;
    };
    auto routine = holding(effects, std::move(alive));
    routine.start([](std::exception_ptr) {});
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

TEST(Routine, MayBeDestroyedByItsOwnEnd) {
  ManualEffects effects;
  int total = 0;
  std::unique_ptr<Routine<>> routine = std::make_unique<Routine<>>(rounds(effects, 1, total));
  auto* started = routine.get();
  started->start([&](std::exception_ptr) { routine.reset(); });
  EXPECT_EQ(routine, nullptr);
}

}  // namespace
}  // namespace ridgeline
