#include "engine/strategies/geak.hpp"

#include "tests/engine/strategies/fake_effects.hpp"

namespace ridgeline::strategies {
namespace {

using testing::correct;
using testing::FakeEffects;
using testing::hash_of_source;
using testing::incorrect;
using testing::kinds;
using testing::without_kernel;

/// Kernels by (round, slot), the last of a slot repeated; critics say "reflection on round R slot S".
FakeEffects::Script script(std::vector<std::vector<Attempt>> by_round) {
  return [by_round = std::move(by_round)](const Ask& ask, int round, std::size_t slot) {
    if (ask.critic)
      return testing::prose("reflection on round " + std::to_string(round) + " slot " + std::to_string(slot));
    return by_round[std::min<std::size_t>(static_cast<std::size_t>(round), by_round.size() - 1)][slot];
  };
}

std::vector<FakeEffects::Batch> run(GeakSettings settings, std::vector<std::vector<Attempt>> by_round) {
  FakeEffects effects(script(std::move(by_round)));
  EXPECT_TRUE(testing::run(geak(effects, Brief{testing::any_task}, settings)));
  return effects.batches;
}

/// Roles of a run with one slot: "generate", "reflect_build", …
std::vector<std::string> roles(const std::vector<FakeEffects::Batch>& batches) {
  std::vector<std::string> all;
  for (const auto& batch : batches)
    for (const auto& ask : batch.asks) all.push_back(ask.role.substr(ask.role.find('/') + 1));
  return all;
}

const AncestorsFeedback& ancestors_in(const Ask& ask) {
  return std::get<AncestorsFeedback>(ask.feedback.at(0).data);
}

TEST(Geak, GeneratesReflectsRepairsAndThenOptimises) {
  const auto broken = testing::ending_at("broken", Stage::build, Status::failed, Reason::compile_error);
  const auto batches =
      run({.rounds = 4}, {{broken}, {incorrect("wrong")}, {correct("good", 2)}, {correct("x", 3)}});
  const std::vector<std::string> expected{"generate", "reflect_build",       "debug",   "reflect_correctness",
                                          "debug",    "reflect_performance", "optimize"};
  EXPECT_EQ(roles(batches), expected);
  const auto& first_debug = batches[2].asks[0];
  EXPECT_EQ(first_debug.change->candidate.source, "broken");
  EXPECT_EQ(kinds(first_debug), "source errors reflection");
  EXPECT_EQ(std::get<ReflectionFeedback>(first_debug.feedback[2].data).text, "reflection on round 0 slot 0");
  for (const auto& item : first_debug.feedback) EXPECT_EQ(item.candidate, hash_of_source("broken"));
  const auto& optimize = batches[6].asks[0];
  EXPECT_EQ(kinds(optimize), "ancestors");
  EXPECT_EQ(optimize.change->candidate.source, "good");
  EXPECT_EQ(ancestors_in(optimize).analyses, std::vector<std::string>{"reflection on round 2 slot 0"});
}

TEST(Geak, RetrievesForTheFirstPromptByTheTaskAndForRepairsByTheLastCode) {
  const auto batches = run({.rounds = 4, .knowledge = Knowledge::bm25, .knowledge_tokens = 700},
                           {{incorrect("wrong")}, {correct("good", 2)}, {correct("x", 3)}});
  const auto& generate = batches[0].asks[0];
  EXPECT_EQ(kinds(generate), "knowledge");
  EXPECT_EQ(std::get<KnowledgeFeedback>(generate.feedback[0].data).about, nullptr);
  EXPECT_EQ(generate.feedback[0].candidate, "");
  EXPECT_EQ(generate.feedback[0].token_budget, 700);
  const auto& debug = batches[2].asks[0];
  EXPECT_EQ(kinds(debug), "knowledge source errors reflection");
  EXPECT_EQ(std::get<KnowledgeFeedback>(debug.feedback[0].data).about->candidate.source, "wrong");
  EXPECT_EQ(debug.feedback[0].candidate, hash_of_source("wrong"));
  EXPECT_EQ(kinds(batches[1].asks[0]), "source errors") << "critics get none";
  EXPECT_EQ(kinds(batches[4].asks[0]), "ancestors") << "and neither does the optimizer";
}

TEST(Geak, CriticsWriteProseAboutOneCandidate) {
  const auto batches = run({.rounds = 2, .critic = "critic"}, {{correct("good", 2)}});
  const auto& reflect = batches[1];
  EXPECT_EQ(reflect.kind, Effects::Kind::ask_only);
  EXPECT_EQ(reflect.round, 0);
  EXPECT_TRUE(reflect.asks[0].critic);
  EXPECT_EQ(reflect.asks[0].model, "critic");
  EXPECT_EQ(reflect.asks[0].change, nullptr);
  EXPECT_EQ(kinds(reflect.asks[0]), "source time roofline");
  EXPECT_EQ(reflect.asks[0].temperature, 1.0);
  EXPECT_EQ(batches[0].asks[0].model, "");
}

TEST(Geak, ShowsAncestorsWorstToBestAndReplacesTheWorstByAFaster) {
  const auto batches = run({.rounds = 6, .keep = 2}, {{correct("two", 2)},
                                                      {correct("one", 1)},
                                                      {correct("half", 0.5)},
                                                      {correct("three", 3)},
                                                      {correct("three", 3)},
                                                      {correct("end", 1)}});
  std::vector<std::vector<std::string>> shown;
  for (const auto& batch : batches)
    for (const auto& ask : batch.asks)
      if (ask.role == "geak/optimize") {
        shown.emplace_back();
        for (const auto& one : ancestors_in(ask).ancestors) shown.back().push_back(one->candidate.source);
        EXPECT_EQ(ask.change->candidate.source, shown.back().back());
        EXPECT_EQ(ask.feedback[0].candidate, ask.change->candidate.hash);
      }
  const std::vector<std::vector<std::string>> expected{
      {"two"}, {"one", "two"}, {"one", "two"}, {"two", "three"}, {"two", "three"}};
  EXPECT_EQ(shown, expected);
}

TEST(Geak, ReturnsToTheAncestorsWhenRepairsAreSpentAndCountsAnew) {
  const auto batches = run({.rounds = 10, .repairs = 3}, {{correct("good", 2)}, {incorrect("bad")}});
  std::vector<std::string> attempts;
  for (const auto& role : roles(batches))
    if (role.rfind("reflect", 0) != 0) attempts.push_back(role);
  const std::vector<std::string> expected{"generate", "optimize", "debug", "debug", "debug",
                                          "optimize", "debug",    "debug", "debug", "optimize"};
  EXPECT_EQ(attempts, expected);
}

TEST(Geak, RepairsOnWhileThereAreNoAncestors) {
  const auto batches = run({.rounds = 9, .repairs = 2}, {{incorrect("bad")}});
  for (std::size_t i = 2; i < batches.size(); i += 2) EXPECT_EQ(batches[i].asks[0].role, "geak/debug");
}

TEST(Geak, SlotsWalkOnTheirOwnAndShareTheArchive) {
  const auto batches = run({.rounds = 2, .candidates = 3},
                           {{correct("a", 2), incorrect("b"), without_kernel(AnswerStatus::no_code, "none")},
                            {correct("c", 1), correct("d", 1), correct("e", 1)}});
  ASSERT_EQ(batches.size(), 3u);
  EXPECT_EQ(batches[1].asks.size(), 2u);  // nothing to reflect on where there was no kernel
  const auto& second = batches[2].asks;
  EXPECT_EQ(second[0].role, "geak/optimize");
  EXPECT_EQ(second[1].role, "geak/debug");
  EXPECT_EQ(std::get<ReflectionFeedback>(second[1].feedback.back().data).text,
            "reflection on round 0 slot 1");
  EXPECT_EQ(second[2].role, "geak/generate");
  EXPECT_EQ(kinds(second[2]), "answer");
}

TEST(Geak, AnUnreadableOptimisationIsAskedForAgain) {
  const auto batches =
      run({.rounds = 3}, {{correct("good", 2)}, {without_kernel(AnswerStatus::diff_failed, "hunk 1")}});
  const auto& last = batches.back().asks[0];
  EXPECT_EQ(last.role, "geak/optimize");
  EXPECT_EQ(kinds(last), "ancestors answer");
}

TEST(Geak, AnOutageLeavesASlotsNextPromptAsItWas) {
  const auto no_code = without_kernel(AnswerStatus::no_code, "only prose");
  const auto failed = without_kernel(AnswerStatus::model_failed);
  const auto lost = testing::ending_at("lost", Stage::call, Status::unavailable, Reason::worker_lost);
  for (const auto& outage : {failed, lost}) {
    const auto batches = run({.rounds = 4}, {{incorrect("bad")}, {no_code}, {outage}, {incorrect("worse")}});
    const auto& last = batches.back().asks[0];
    EXPECT_EQ(kinds(last), "source errors reflection answer");
    EXPECT_EQ(std::get<AnswerFeedback>(last.feedback.back().data).problem, "only prose");
    EXPECT_EQ(last.change->candidate.source, "bad");
  }
}

TEST(Geak, ARoundLostToAnOutageCountsAsNoRepairAndNoReturn) {
  const auto lost = testing::ending_at("lost", Stage::call, Status::unavailable, Reason::worker_lost);
  const auto bad = incorrect("bad");
  const auto attempts_of = [](const std::vector<FakeEffects::Batch>& batches) {
    auto attempts = roles(batches);
    std::erase_if(attempts, [](const std::string& role) { return role.starts_with("reflect"); });
    return attempts;
  };
  using Roles = std::vector<std::string>;
  // Round 3 is the outage of a second repair, which is then made again.
  EXPECT_EQ(
      attempts_of(run({.rounds = 6, .repairs = 2}, {{correct("good", 2)}, {bad}, {bad}, {lost}, {bad}})),
      (Roles{"generate", "optimize", "debug", "debug", "debug", "optimize"}));
  // Round 4 is the outage of the return to the ancestors, which is then made again.
  EXPECT_EQ(attempts_of(
                run({.rounds = 6, .repairs = 2}, {{correct("good", 2)}, {bad}, {bad}, {bad}, {lost}, {bad}})),
            (Roles{"generate", "optimize", "debug", "debug", "optimize", "optimize"}));
}

TEST(Geak, LeavesTheReflectionOutIfTheCriticWroteNothing) {
  FakeEffects effects([](const Ask& ask, int, std::size_t) {
    return ask.critic ? without_kernel(AnswerStatus::model_failed) : incorrect("bad");
  });
  EXPECT_TRUE(testing::run(geak(effects, Brief{testing::any_task}, {.rounds = 2})));
  EXPECT_EQ(kinds(effects.batches.back().asks[0]), "source errors");
}

TEST(Geak, AnOldReflectionDoesNotDescribeANewCandidate) {
  int critiques = 0;
  FakeEffects effects([&](const Ask& ask, int round, std::size_t) {
    if (!ask.critic) return incorrect("bad " + std::to_string(round));
    return ++critiques == 1 ? testing::prose("first") : without_kernel(AnswerStatus::model_failed);
  });
  EXPECT_TRUE(testing::run(geak(effects, Brief{testing::any_task}, {.rounds = 3})));
  EXPECT_EQ(kinds(effects.batches[2].asks[0]), "source errors reflection");
  EXPECT_EQ(kinds(effects.batches[4].asks[0]), "source errors");
}

TEST(Geak, EndsWhenTheBudgetRefusesARequestOfABatchOrACritic) {
  EXPECT_EQ(
      run({.rounds = 5, .candidates = 2}, {{correct("a", 1), without_kernel(AnswerStatus::budget_exhausted)}})
          .size(),
      1u);
  FakeEffects effects([](const Ask& ask, int, std::size_t) {
    return ask.critic ? without_kernel(AnswerStatus::budget_exhausted) : incorrect("bad");
  });
  EXPECT_TRUE(testing::run(geak(effects, Brief{testing::any_task}, {.rounds = 5})));
  EXPECT_EQ(effects.batches.size(), 2u);
}

TEST(Geak, AsksNoMoreThanItsBound) {
  const GeakSettings settings{.rounds = 3, .candidates = 4};
  const auto batches = run(settings, {{incorrect("a"), incorrect("b"), incorrect("c"), correct("d", 1)}});
  std::size_t calls = 0;
  for (const auto& batch : batches) calls += batch.asks.size();
  EXPECT_EQ(calls, 20u);
  EXPECT_EQ(geak_calls(settings), 20);
}

TEST(Geak, TenThousandStepsOverAJournalKeepTheStackFlat) {
  FakeEffects effects(script({{correct("good", 2)}, {incorrect("bad")}}));
  EXPECT_TRUE(testing::run(geak(effects, Brief{testing::any_task}, {.rounds = 5000})));
  EXPECT_EQ(effects.batches.size(), 9999u);
  EXPECT_LT(effects.stack_growth(), 4096);
}

}  // namespace
}  // namespace ridgeline::strategies
