#include "engine/campaign/campaign.hpp"

#include <gtest/gtest.h>

#include "tests/engine/campaign/campaign_runs.hpp"

namespace ridgeline::campaign {
namespace {

TEST_F(CampaignRuns, EveryTrajectoryEndsAndEverythingIsInTheStore) {
  const auto seen = run();
  EXPECT_EQ(seen.error, "");
  EXPECT_EQ(seen.calls, 2 * (4 + 5));
  EXPECT_EQ(seen.evaluations, seen.calls);
  EXPECT_EQ(seen.journal.size(), 36u);
  EXPECT_EQ(seen.totals.calls, 18);
  EXPECT_EQ(seen.totals.tokens.input, 180);
  for (const auto& trajectory : seen.trajectories)
    EXPECT_EQ(trajectory.state, store::TrajectoryState::finished);
}

TEST_F(CampaignRuns, GoesOnWhereItWasKilledAndWalksTheSameWay) {
  const auto undisturbed = run();
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directories(folder_);
  int recorded = 0;
  for (const int answers : {3, 2, 5}) {
    const auto part = run(answers);
    EXPECT_LT(part.journal.size(), undisturbed.journal.size());
    EXPECT_GE(answers_in(part.journal), recorded);
    recorded = answers_in(part.journal);
  }
  EXPECT_GE(recorded, 3);
  const auto rest = run();
  EXPECT_EQ(rest.error, "");
  EXPECT_EQ(recorded + rest.calls, undisturbed.calls) << "an answer that was recorded was asked for again";
  EXPECT_EQ(walk(rest.journal), walk(undisturbed.journal));
  EXPECT_EQ(run().calls, 0) << "a finished campaign asks nothing";
}

TEST_F(CampaignRuns, AnInterruptedTrajectoryStandsAsRunning) {
  const auto part = run(3);
  const auto running = std::count_if(part.trajectories.begin(), part.trajectories.end(), [](const auto& one) {
    return one.state == store::TrajectoryState::running;
  });
  EXPECT_GT(running, 0) << "whoever looks at the store sees that it was begun";
  for (const auto& one : run().trajectories) EXPECT_EQ(one.state, store::TrajectoryState::finished);
}

TEST_F(CampaignRuns, ReportsWhenItWaitsForModelsOrVerdictsAlone) {
  const auto all_judged = run(3);
  EXPECT_TRUE(all_judged.only_waits_for_models);
  EXPECT_TRUE(all_judged.only_waits);

  config_.store = folder_ / "another.db";
  verdicts_ = 2;
  const auto one_is_not = run(3);
  EXPECT_FALSE(one_is_not.only_waits_for_models) << "a kernel is being judged";
  EXPECT_TRUE(one_is_not.only_waits);

  verdicts_ = -1;
  EXPECT_FALSE(run().only_waits) << "it is over";
}

TEST_F(CampaignRuns, RefusesRecordsOfAnotherRequest) {
  run(3);
  config_.prompts = "";
  plan_.tasks[0].description =
      "another text in every prompt";  // and the same task hash: a template that changed
  const auto again = run();
  EXPECT_NE(again.error.find("belongs to another request"), std::string::npos) << again.error;
  EXPECT_NE(again.error.find("--fork"), std::string::npos) << again.error;
}

TEST_F(CampaignRuns, ABudgetCutsEveryTrajectoryAndTheRefusalIsRecorded) {
  config_.per_trajectory.calls = 3;
  const auto seen = run();
  EXPECT_EQ(seen.calls, 4 * 3);
  int refused = 0;
  for (const auto& entry : seen.journal)
    if (const auto* ask = std::get_if<store::AskEntry>(&entry))
      refused += ask->record.status == AnswerStatus::budget_exhausted;
  EXPECT_EQ(refused, 4);
  EXPECT_EQ(run().calls, 0);
}

TEST_F(CampaignRuns, PutsRetrievedKnowledgeIntoThePromptAndItsHash) {
  config_.strategies = {{"geak", "geak", {{"rounds", std::int64_t{1}}, {"knowledge", std::string("bm25")}}}};
  config_.seeds = {0};
  plan_ = make_plan(config_, {{a_task()}, {}});
  const auto ask_over = [this](const std::string& text) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    knowledge_.emplace(Language::cpp, std::vector<prompts::KnowledgeFile>{{"near.cpp", "reference " + text},
                                                                          {"far.cpp", "tile"}});
    return run().requests.at(0);
  };
  const auto first = ask_over("once"), second = ask_over("twice");
  const auto& prompt = first.messages.back().content;
  EXPECT_NE(prompt.find("`near.cpp`"), std::string::npos) << prompt;
  EXPECT_EQ(prompt.find("far.cpp"), std::string::npos);
  EXPECT_NE(first.request_hash, second.request_hash);
  EXPECT_EQ(first.request_hash, ask_over("once").request_hash);
}

TEST_F(CampaignRuns, ARefusedKeyPausesTheCampaignAndIsNoResult) {
  fault_ = llm::Fault::account;
  const auto seen = run(-1, llm::LlmStatus::unauthorized);
  ASSERT_TRUE(seen.paused);
  EXPECT_NE(seen.paused->reason.find("the model 'fake' refuses every call (unauthorized)"),
            std::string::npos);
  EXPECT_TRUE(seen.journal.empty());
  EXPECT_EQ(seen.totals.calls, 0);
  for (const auto& one : seen.trajectories) EXPECT_NE(one.state, store::TrajectoryState::finished);
  fault_ = llm::Fault::none;
  const auto repaired = run();
  EXPECT_FALSE(repaired.paused);
  EXPECT_EQ(repaired.calls, 18) << "every call is asked again";
}

TEST_F(CampaignRuns, EachStrategyAsksTheModelsThatItNames) {
  config_.models.resize(2);
  config_.models[1].name = "other";
  config_.models[1].id = "another";
  config_.strategies[1].roles["generator"] = "other";
  plan_ = make_plan(config_, {{a_task()}, {}});
  const auto seen = run();
  ASSERT_EQ(seen.requests.size(), 18U);
  for (const auto& request : seen.requests)
    EXPECT_EQ(request.model, request.address.starts_with("t/chain/") ? "other" : "fake") << request.address;
  for (const auto& trajectory : seen.trajectories)
    EXPECT_EQ(trajectory.model, trajectory.strategy == "chain" ? "other" : "fake");

  config_.strategies[1].roles.clear();
  plan_ = make_plan(config_, {{a_task()}, {}});
  EXPECT_THROW(run(), BadInput) << "the chain was begun with another model";
}

TEST_F(CampaignRuns, NewSeedsAreAddedToACampaignThatExists) {
  run();
  config_.seeds = {0, 1, 2};
  plan_ = make_plan(config_, {{a_task()}, {}});
  EXPECT_EQ(run().calls, 9);
}

}  // namespace
}  // namespace ridgeline::campaign
