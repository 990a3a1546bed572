#include "engine/strategies/kernel_agent.hpp"

#include "tests/engine/strategies/fake_effects.hpp"

namespace ridgeline::strategies {
namespace {

using Address = Effects::Address;
using testing::correct;
using testing::FakeEffects;
using testing::incorrect;
using testing::kinds;
using testing::without_kernel;

/// A strategy whose requests end in the order that the test wants.
class Walked {
 public:
  Walked(KernelAgentSettings settings, FakeEffects::Script script)
      : effects(std::move(script)), routine_(kernel_agent(effects, Brief{testing::any_task}, settings)) {
    effects.deferred = true;
    routine_.start([this](std::exception_ptr error) {
      EXPECT_EQ(error, nullptr);
      ended = true;
    });
  }

  const Ask& ask(int step) const { return effects.batches.at(static_cast<std::size_t>(step)).asks.at(0); }
  int asked() const { return static_cast<int>(effects.batches.size()); }

  FakeEffects effects;
  bool ended = false;

 private:
  Routine<> routine_;
};

/// Wrong kernels, each with the number of its request as its source; those named in `right` are correct.
FakeEffects::Script numbered(std::vector<int> right = {}) {
  return [right = std::move(right), next = 0](const Ask&, int, std::size_t) mutable {
    const int number = next++;
    const auto source = "k" + std::to_string(number);
    const bool is_right = std::find(right.begin(), right.end(), number) != right.end();
    return is_right ? correct(source, 1) : incorrect(source);
  };
}

TEST(KernelAgent, BeginsEverySeedAtOnce) {
  Walked run({.seeds = 3}, numbered());
  EXPECT_EQ(run.asked(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run.ask(i).role, "kernel_agent/generate");
  EXPECT_EQ(run.ask(0).temperature, 0.8);
}

TEST(KernelAgent, ASeedGoesOnAloneWithItsOwnKernelAndErrors) {
  Walked run({.seeds = 2}, numbered());
  run.effects.end({1, 0});  // the second seed is faster
  ASSERT_EQ(run.asked(), 3);
  EXPECT_EQ(run.ask(2).role, "kernel_agent/refine");
  EXPECT_EQ(run.ask(2).change->candidate.source, "k1");
  EXPECT_EQ(kinds(run.ask(2)), "source errors");
  EXPECT_EQ(run.effects.batches[2].round, 1);
  EXPECT_EQ(run.effects.under_way(), (std::vector<Address>{{0, 0}, {2, 0}})) << "nobody waits for the other";
}

TEST(KernelAgent, TheFirstCorrectKernelEndsTheRest) {
  Walked run({.seeds = 3}, numbered({1}));
  run.effects.end({2, 0});
  EXPECT_FALSE(run.ended);
  run.effects.end({1, 0});
  EXPECT_TRUE(run.ended);
  ASSERT_EQ(run.effects.cancelled.size(), 2u);
  EXPECT_EQ(run.effects.cancelled[0].address, (Address{0, 0}));
  EXPECT_EQ(run.effects.cancelled[1].address, (Address{3, 0})) << "the refinement of the third seed";
  EXPECT_EQ(run.effects.cancelled[0].reason, "the kernel of another seed is correct");
}

TEST(KernelAgent, ListsAtMostEightEarlierAttempts) {
  Walked run({.seeds = 1, .rounds = 12}, numbered());
  while (!run.ended) run.effects.release();
  EXPECT_EQ(run.asked(), 12);
  const auto& history = std::get<HistoryFeedback>(run.ask(11).feedback.back().data);
  ASSERT_EQ(history.attempts.size(), 8u);
  EXPECT_EQ(history.attempts.front()->candidate.source, "k2");
  EXPECT_EQ(history.attempts.back()->candidate.source, "k9");
  EXPECT_EQ(run.ask(11).change->candidate.source, "k10");
}

TEST(KernelAgent, EndsWhenEverySeedHasHadItsRounds) {
  Walked run({.seeds = 3, .rounds = 2}, numbered());
  while (!run.ended) run.effects.end(run.effects.under_way().back());
  EXPECT_EQ(run.asked(), 6);
  EXPECT_TRUE(run.effects.cancelled.empty());
}

TEST(KernelAgent, ASeedThatTheBudgetRefusesEndsAndTheOthersMayStillSucceed) {
  Walked run({.seeds = 2}, [next = 0](const Ask&, int, std::size_t) mutable {
    return next++ == 0 ? without_kernel(AnswerStatus::budget_exhausted) : correct("right", 1);
  });
  run.effects.end({0, 0});
  EXPECT_FALSE(run.ended);
  EXPECT_EQ(run.asked(), 2) << "nothing new is begun for it";
  run.effects.release();
  EXPECT_TRUE(run.ended);
  EXPECT_TRUE(run.effects.cancelled.empty());
}

TEST(KernelAgent, ASeedEndsAfterTwoBarrenRoundsInARow) {
  Walked run({.seeds = 2},
             [](const Ask&, int, std::size_t) { return without_kernel(AnswerStatus::model_failed); });
  while (!run.ended) run.effects.end(run.effects.under_way().front());
  EXPECT_EQ(run.asked(), 4);
}

TEST(KernelAgent, ReportsAnAnswerWithoutCodeInTheNextPrompt) {
  Walked run({.seeds = 1}, [](const Ask&, int, std::size_t) {
    return without_kernel(AnswerStatus::no_code, "only prose");
  });
  run.effects.release();
  EXPECT_EQ(run.ask(1).role, "kernel_agent/generate");
  EXPECT_EQ(kinds(run.ask(1)), "answer");
}

TEST(KernelAgent, AnOutageDoesNotHideWhatWasWrongWithTheAnswerBefore) {
  Walked run({.seeds = 1}, [next = 0](const Ask&, int, std::size_t) mutable {
    return next++ == 0 ? without_kernel(AnswerStatus::no_code, "only prose")
                       : without_kernel(AnswerStatus::model_failed);
  });
  run.effects.release();
  run.effects.release();
  EXPECT_EQ(kinds(run.ask(2)), "answer");
}

TEST(KernelAgent, WalksTheSameWhenRequestsEndInTheSameOrder) {
  const auto walk = [] {
    Walked run({.seeds = 3, .rounds = 4}, numbered({9}));
    for (unsigned pick = 7; !run.ended; pick = pick * 13 + 5) {
      const auto open = run.effects.under_way();
      run.effects.end(open[pick % open.size()]);
    }
    return testing::trace(run.effects.batches);
  };
  EXPECT_EQ(walk(), walk());
}

}  // namespace
}  // namespace ridgeline::strategies
