#include "engine/strategies/iterative.hpp"

#include "tests/engine/strategies/fake_effects.hpp"

namespace ridgeline::strategies {
namespace {

using testing::correct;
using testing::FakeEffects;
using testing::hash_of_source;
using testing::incorrect;
using testing::kinds;
using testing::without_kernel;

/// Answers round by round; the last answer is repeated.
FakeEffects::Script in_turn(std::vector<Attempt> answers) {
  return [answers = std::move(answers)](const Ask&, int round, std::size_t) {
    return answers[std::min<std::size_t>(static_cast<std::size_t>(round), answers.size() - 1)];
  };
}

std::vector<Ask> asks_of(const FakeEffects& effects) {
  std::vector<Ask> asks;
  for (const auto& batch : effects.batches) {
    EXPECT_EQ(batch.asks.size(), 1u);
    asks.push_back(batch.asks.front());
  }
  return asks;
}

std::vector<Ask> run(IterativeSettings settings, std::vector<Attempt> answers) {
  FakeEffects effects(in_turn(std::move(answers)));
  EXPECT_TRUE(testing::run(iterative(effects, Brief{testing::any_task}, settings)));
  for (std::size_t i = 0; i < effects.batches.size(); ++i)
    EXPECT_EQ(effects.batches[i].round, static_cast<int>(i));
  return asks_of(effects);
}

TEST(Iterative, ContinuesFromTheLatestKernelNotTheBest) {
  const auto asks = run({.rounds = 4}, {correct("fast", 3), incorrect("wrong"), correct("slow", 0.5)});
  ASSERT_EQ(asks.size(), 4u);
  EXPECT_EQ(asks[0].role, "iterative/generate");
  EXPECT_EQ(asks[0].change, nullptr);
  EXPECT_TRUE(asks[0].feedback.empty());
  EXPECT_EQ(asks[1].role, "iterative/refine");
  EXPECT_EQ(asks[1].change->candidate.source, "fast");
  EXPECT_EQ(asks[2].change->candidate.source, "wrong");
  EXPECT_EQ(asks[3].change->candidate.source, "slow");
}

TEST(Iterative, ShowsTheFeedbackThatASetNames) {
  const std::vector<Attempt> answers{incorrect("wrong"), correct("right", 2)};
  const auto g = run({.rounds = 3, .feedback = FeedbackSet::g}, answers);
  EXPECT_EQ(kinds(g[1]), "source");
  EXPECT_EQ(kinds(g[2]), "source");
  const auto g_e = run({.rounds = 3, .feedback = FeedbackSet::g_e}, answers);
  EXPECT_EQ(kinds(g_e[1]), "source errors");
  EXPECT_EQ(kinds(g_e[2]), "source time");
  const auto g_e_p = run({.rounds = 3, .feedback = FeedbackSet::g_e_p}, answers);
  EXPECT_EQ(kinds(g_e_p[1]), "source errors");
  EXPECT_EQ(kinds(g_e_p[2]), "source time roofline");
}

TEST(Iterative, EveryItemIsBoundToTheCandidateItDescribes) {
  const auto asks = run({.rounds = 3, .feedback_tokens = 123}, {incorrect("one"), correct("two", 2)});
  for (const auto& item : asks[1].feedback) EXPECT_EQ(item.candidate, hash_of_source("one"));
  for (const auto& item : asks[2].feedback) EXPECT_EQ(item.candidate, hash_of_source("two"));
  EXPECT_EQ(asks[1].feedback[1].token_budget, 123);
}

TEST(Iterative, ReportsAnAnswerWithoutCodeInTheNextPromptOnly) {
  const auto asks = run({.rounds = 4, .feedback = FeedbackSet::g_e},
                        {incorrect("one"), without_kernel(AnswerStatus::no_code, "only prose"),
                         without_kernel(AnswerStatus::diff_failed), correct("two", 1)});
  EXPECT_EQ(asks[2].change->candidate.source, "one");
  EXPECT_EQ(kinds(asks[2]), "source errors answer");
  EXPECT_EQ(std::get<AnswerFeedback>(asks[2].feedback.back().data).problem, "only prose");
  EXPECT_EQ(asks[2].feedback.back().candidate, "");
  EXPECT_NE(std::get<AnswerFeedback>(asks[3].feedback.back().data).problem, "");
}

TEST(Iterative, AFirstAnswerWithoutCodeIsAskedForAgain) {
  const auto asks = run({.rounds = 3}, {without_kernel(AnswerStatus::no_code, "why"), incorrect("one")});
  EXPECT_EQ(asks[1].role, "iterative/generate");
  EXPECT_EQ(kinds(asks[1]), "answer");
  EXPECT_EQ(kinds(asks[2]), "source errors");
}

TEST(Iterative, DoesNotBlameACandidateThatTheMachineCouldNotJudge) {
  const auto lost = testing::ending_at("lost", Stage::call, Status::unavailable, Reason::worker_lost);
  const auto asks = run({.rounds = 3}, {incorrect("one"), lost, correct("two", 1)});
  ASSERT_EQ(asks.size(), 3u);
  EXPECT_EQ(asks[2].change->candidate.source, "one");
  EXPECT_EQ(kinds(asks[2]), "source errors");
}

TEST(Iterative, AnOutageLeavesTheNextPromptAsItWas) {
  const auto no_code = without_kernel(AnswerStatus::no_code, "only prose");
  const auto failed = without_kernel(AnswerStatus::model_failed);
  const auto lost = testing::ending_at("lost", Stage::call, Status::unavailable, Reason::worker_lost);
  for (const auto& outage : {failed, lost}) {
    const auto asks = run({.rounds = 5}, {incorrect("one"), no_code, outage, incorrect("two"), no_code});
    ASSERT_EQ(asks.size(), 5u);
    EXPECT_EQ(kinds(asks[2]), "source errors answer");
    EXPECT_EQ(kinds(asks[3]), kinds(asks[2]));
    EXPECT_EQ(std::get<AnswerFeedback>(asks[3].feedback.back().data).problem, "only prose");
    EXPECT_EQ(kinds(asks[4]), "source errors") << "a verdict ends it";
  }
}

TEST(Iterative, ACorrectKernelThatCouldNotBeTimedIsStillCorrect) {
  auto untimed = testing::ending_at("one", Stage::timing, Status::unavailable, Reason::none);
  const auto asks = run({.rounds = 2, .feedback = FeedbackSet::g_e}, {untimed});
  EXPECT_EQ(kinds(asks[1]), "source time");
}

TEST(Iterative, HistoryListsTheAttemptsBeforeTheLatest) {
  const auto asks = run({.rounds = 5, .feedback = FeedbackSet::g, .history = 2},
                        {incorrect("a"), incorrect("b"), incorrect("c"), incorrect("d")});
  EXPECT_EQ(kinds(asks[1]), "source");
  EXPECT_EQ(kinds(asks[2]), "source history");
  const auto& history = std::get<HistoryFeedback>(asks[4].feedback.back().data);
  ASSERT_EQ(history.attempts.size(), 2u);
  EXPECT_EQ(history.attempts[0]->candidate.source, "b");
  EXPECT_EQ(history.attempts[1]->candidate.source, "c");
  EXPECT_EQ(asks[4].feedback.back().candidate, hash_of_source("c"));
}

TEST(Iterative, AsksForEditsWhereTheSettingSaysSo) {
  const auto asks = run({.rounds = 2, .edit = AnswerForm::diff}, {incorrect("a")});
  EXPECT_EQ(asks[0].role, "iterative/generate");
  EXPECT_EQ(asks[1].role, "iterative/refine_diff");
}

TEST(Iterative, EndsWhenTheBudgetRefusesACall) {
  const auto asks =
      run({.rounds = 10}, {incorrect("a"), incorrect("b"), without_kernel(AnswerStatus::budget_exhausted)});
  EXPECT_EQ(asks.size(), 3u);
}

TEST(Iterative, EndsWhenTheBudgetRefusesAnEvaluation) {
  auto unevaluated = correct("a", 1);
  unevaluated.evaluated = nullptr;
  EXPECT_EQ(run({.rounds = 10}, {incorrect("b"), unevaluated}).size(), 2u);
}

TEST(Iterative, EndsAfterTwoBarrenRoundsInARow) {
  const auto failed = without_kernel(AnswerStatus::model_failed);
  EXPECT_EQ(run({.rounds = 10}, {incorrect("a"), failed}).size(), 3u);
  const auto missing = without_kernel(AnswerStatus::missing_recording);
  const auto code = incorrect("b");
  EXPECT_EQ(run({.rounds = 10}, {missing, code, failed, code, missing, missing}).size(), 6u);
}

TEST(Iterative, IsAFunctionOfItsResults) {
  const std::vector<Attempt> answers{incorrect("a"), without_kernel(AnswerStatus::no_code, "x"),
                                     correct("b", 2)};
  FakeEffects one(in_turn(answers)), two(in_turn(answers));
  testing::run(iterative(one, Brief{testing::any_task}, {.rounds = 6, .history = 3}));
  testing::run(iterative(two, Brief{testing::any_task}, {.rounds = 6, .history = 3}));
  EXPECT_EQ(testing::trace(one.batches), testing::trace(two.batches));
}

TEST(Iterative, WalksTheSameWhenResultsComeLater) {
  const std::vector<Attempt> answers{incorrect("a"), correct("b", 2)};
  FakeEffects now(in_turn(answers)), later(in_turn(answers));
  testing::run(iterative(now, Brief{testing::any_task}, {.rounds = 4}));
  later.deferred = true;
  auto routine = iterative(later, Brief{testing::any_task}, {.rounds = 4});
  bool ended = false;
  routine.start([&](std::exception_ptr error) { ended = error == nullptr; });
  while (later.holds()) {
    EXPECT_FALSE(ended);
    later.release();
  }
  EXPECT_TRUE(ended);
  EXPECT_EQ(testing::trace(now.batches), testing::trace(later.batches));
}

TEST(Iterative, ReleasesWhatItHoldsWhenDroppedWhileItWaits) {
  std::weak_ptr<const ScoredCandidate> first;
  FakeEffects effects([&](const Ask&, int round, std::size_t) {
    auto attempt = incorrect("round " + std::to_string(round));
    if (round == 0) first = attempt.evaluated;
    return attempt;
  });
  effects.deferred = true;
  {
    auto routine = iterative(effects, Brief{testing::any_task}, {.rounds = 4});
    routine.start([](std::exception_ptr) { FAIL() << "it did not end"; });
    effects.release();
    effects.batches.clear();
    EXPECT_FALSE(first.expired());  // the chain's latest
  }
  EXPECT_TRUE(first.expired());
}

TEST(Iterative, TenThousandStepsOverAJournalKeepTheStackFlat) {
  FakeEffects effects(in_turn({incorrect("a")}));
  EXPECT_TRUE(testing::run(iterative(effects, Brief{testing::any_task}, {.rounds = 10000})));
  EXPECT_EQ(effects.batches.size(), 10000u);
  EXPECT_LT(effects.stack_growth(), 4096);
}

}  // namespace
}  // namespace ridgeline::strategies
