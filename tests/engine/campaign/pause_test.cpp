// A campaign under outages, caps and failing machines records nothing that was not learnt, spends nothing
// beyond a cap, and later goes on as if nothing had happened.
#include <gtest/gtest.h>

#include "engine/campaign/judge_health.hpp"
#include "engine/campaign/shortening.hpp"
#include "tests/engine/campaign/campaign_runs.hpp"

namespace ridgeline::campaign {
namespace {

int in_state(const std::vector<store::TrajectoryRecord>& trajectories, store::TrajectoryState state) {
  return static_cast<int>(std::ranges::count(trajectories, state, &store::TrajectoryRecord::state));
}

class Pausing : public CampaignRuns {
 protected:
  void start_anew() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
};

TEST_F(Pausing, AnOutageIsNoResultAndTheWalkAfterwardsIsTheUndisturbedOne) {
  const auto undisturbed = run();
  start_anew();
  run(4);
  fault_ = llm::Fault::endpoint;
  const auto out = run(-1, llm::LlmStatus::overloaded);
  ASSERT_TRUE(out.paused);
  EXPECT_NE(out.paused->reason.find("does not answer (overloaded)"), std::string::npos) << out.paused->reason;
  EXPECT_EQ(out.error, "");
  EXPECT_GT(in_state(out.trajectories, store::TrajectoryState::incomplete), 0);
  EXPECT_GT(out.totals.failed_attempts, 0) << "what was tried is on record";
  fault_ = llm::Fault::none;
  const auto rest = run();
  EXPECT_FALSE(rest.paused);
  EXPECT_EQ(walk(rest.journal), walk(undisturbed.journal));
  EXPECT_EQ(in_state(rest.trajectories, store::TrajectoryState::finished), 4);
}

TEST_F(Pausing, ASharedCapPausesBelowItAndGoesOnOnceRaised) {
  const auto undisturbed = run();
  start_anew();
  config_.models[0].prices.input = config_.models[0].prices.output = 1;
  config_.models[0].max_output_tokens = 10'000;  // a call costs 0.01 USD (FakeModel), and may cost some 0.015
  config_.total.usd = 0.06;
  const auto capped = run();
  ASSERT_TRUE(capped.paused);
  EXPECT_EQ(capped.paused->capped, "usd");
  EXPECT_LE(capped.billed * 0.01, 0.06 + 1e-9);
  EXPECT_GE(capped.billed, 3) << "the cap is used, not only kept";
  EXPECT_GT(in_state(capped.trajectories, store::TrajectoryState::incomplete), 0);
  for (const auto& entry : capped.journal)
    if (const auto* ask = std::get_if<store::AskEntry>(&entry)) {
      EXPECT_NE(ask->record.status, AnswerStatus::budget_exhausted)
          << "a shared cap is no trajectory's result";
    }
  const auto again = run();
  ASSERT_TRUE(again.paused);
  EXPECT_LE((capped.billed + again.billed) * 0.01, 0.06 + 1e-9) << "a shorter prompt may still have fitted";
  config_.total.usd = 1;
  const auto rest = run();
  EXPECT_FALSE(rest.paused);
  EXPECT_EQ(walk(rest.journal), walk(undisturbed.journal));
}

TEST_F(Pausing, ACallUnderWayAtAKillCountsAtItsWorstAgainstTheCap) {
  config_.models[0].prices.output = 1;
  config_.total.usd = 1;
  const auto killed = run(3);
  EXPECT_GT(killed.calls, 3) << "others were under way";
  const auto next = run();
  EXPECT_EQ(next.error, "");
  EXPECT_GT(next.totals.unsettled.usd, 0);
  EXPECT_GT(next.totals.failed_attempts, 0);
}

TEST_F(Pausing, AFailedAttemptThatMayHaveBeenPaidForCountsAgainstTheCap) {
  config_.models[0].prices.output = 1;
  config_.models[0].max_output_tokens = 100'000;
  config_.total.usd = 1;
  fault_ = llm::Fault::endpoint;
  unsettled_ = {100'000, 0.1};
  for (int start = 0; start < 12; ++start) run(-1, llm::LlmStatus::timed_out);
  const auto last = run(-1, llm::LlmStatus::timed_out);
  ASSERT_TRUE(last.paused);
  EXPECT_EQ(last.paused->capped, "usd") << last.paused->reason;
  EXPECT_LE(last.totals.unsettled.usd, 1 + 1e-9);
}

TEST_F(Pausing, AnotherModelOrSettingIsRefusedWithTheDifference) {
  run();
  config_.models[0].max_output_tokens = 7;
  config_.strategies[1].settings["rounds"] = std::int64_t{6};
  plan_ = make_plan(config_, {{a_task()}, {}});
  try {
    run();
    FAIL() << "it went on";
  } catch (const BadInput& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("models.generator.max_output_tokens: 16384 → 7 (4 trajectories)"), std::string::npos)
        << text;
    EXPECT_NE(text.find("strategy.settings.rounds: 5 → 6 (2 trajectories)"), std::string::npos) << text;
    EXPECT_NE(text.find("--fork"), std::string::npos);
  }
}

TEST_F(Pausing, ATrajectoryWithoutRecordedStepsTakesARepairedEntry) {
  fault_ = llm::Fault::account;
  run(-1, llm::LlmStatus::not_found);
  fault_ = llm::Fault::none;
  config_.models[0].id = "the right one";
  const auto repaired = run();
  EXPECT_EQ(repaired.error, "");
  EXPECT_EQ(repaired.calls, 18);
  EXPECT_EQ(repaired.trajectories.size(), 4u);
  config_.models[0].id = "another";
  EXPECT_THROW(run(), BadInput);
}

TEST_F(Pausing, AnotherMachineIsRefused) {
  run(3);
  device_ = "another CPU";
  EXPECT_THROW(run(), BadInput);
}

TEST_F(Pausing, KeysLimitsPricesAndSharedBudgetsMayChange) {
  run(3);
  auto& model = config_.models[0];
  model.api_key_env = "ANOTHER";
  model.limits.concurrency = 1;
  model.retries.attempts = 9;
  model.prices.output = 3;
  config_.total.calls = 1000;
  config_.worker.count = 2;
  EXPECT_EQ(run().error, "");
}

TEST_F(Pausing, ALargerBudgetOfEachTrajectoryIsABranchThatAsksWhereItWasRefused) {
  config_.per_trajectory.calls = 3;
  run();
  config_.per_trajectory.calls = 5;
  EXPECT_THROW(run(), BadInput);
  fork_ = true;
  const auto branch = run();
  EXPECT_EQ(branch.error, "");
  EXPECT_EQ(branch.campaign.name, "trial.2");
  EXPECT_EQ(branch.calls, 2 * 2 + 2 * 4)
      << "each chain goes on for two rounds; the batch of four was cut within";
}

TEST_F(Pausing, AMachineThatJudgesNothingPausesAndIsNoVerdict) {
  const auto undisturbed = run();
  start_anew();
  failing_ = [](const Candidate&) { return true; };
  works_ = false;
  const auto out = run();
  ASSERT_TRUE(out.paused);
  EXPECT_NE(out.paused->reason.find("nor can it prove the task (no device)"), std::string::npos);
  EXPECT_NE(out.paused->reason.find("worker_lost"), std::string::npos) << out.paused->reason;
  EXPECT_EQ(out.totals.evaluations, 0);
  failing_ = nullptr;
  works_ = true;
  EXPECT_EQ(walk(run().journal), walk(undisturbed.journal));
}

TEST_F(Pausing, ACandidateThatTheMachineCannotJudgeIsRecordedAsSuchWhileOthersAre) {
  bool first = true;
  Hash doomed;
  failing_ = [&](const Candidate& candidate) {
    if (std::exchange(first, false)) doomed = candidate.hash;
    return candidate.hash == doomed;
  };
  const auto seen = run();
  EXPECT_FALSE(seen.paused);
  EXPECT_EQ(seen.evaluations, 18 + JudgeHealth::kTries - 1);
  int unjudged = 0;
  for (const auto& entry : seen.journal)
    if (const auto* evaluation = std::get_if<store::EvaluationRecord>(&entry))
      unjudged += evaluation->verdict.at(Stage::build).status == Status::unavailable;
  EXPECT_EQ(unjudged, 1);
}

TEST_F(Pausing, ATaskThatCannotBeJudgedFailsItsTrajectoriesAndNoOthers) {
  reason_ = Reason::task_rejected;
  failing_ = [](const Candidate&) { return true; };
  const auto seen = run();
  EXPECT_FALSE(seen.paused);
  EXPECT_EQ(in_state(seen.trajectories, store::TrajectoryState::failed), 4);
}

TEST_F(Pausing, ATrajectoryThatFailsLeavesNoPartOfASharedBudgetReserved) {
  config_.models[0].prices.output = 1;
  config_.models[0].max_output_tokens = 20'000;  // a call may cost 0.02 USD, and costs 0.01
  config_.total.usd = 0.2;
  reason_ = Reason::task_rejected;
  failing_ = [](const Candidate&) { return true; };
  const auto seen = run();  // would never end if waiting calls were not asked again
  EXPECT_FALSE(seen.paused) << seen.paused->reason;
  EXPECT_EQ(in_state(seen.trajectories, store::TrajectoryState::failed), 4);
  EXPECT_EQ(seen.totals.calls, seen.billed) << "every answer that was paid for is on record";
}

TEST_F(Pausing, APromptThatIsTooLongIsShortenedAndAskedAgain) {
  config_.strategies[1].settings["history"] = std::int64_t{10};
  plan_ = make_plan(config_, {{a_task()}, {}});
  std::size_t longest = 0;
  for (const auto& request : run().requests)
    longest = std::max(longest, request.messages.back().content.size());
  start_anew();
  longest_prompt_ = longest - 1;
  const auto seen = run();
  EXPECT_EQ(seen.error, "");
  EXPECT_GT(seen.calls, 18) << "the longest was asked again";
  EXPECT_GT(seen.totals.failed_attempts, 0);
  int failed = 0;
  for (const auto& entry : seen.journal)
    if (const auto* ask = std::get_if<store::AskEntry>(&entry))
      failed += ask->record.status == AnswerStatus::model_failed;
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(run().calls, 0) << "a resume knows the shortened ones";
}

TEST(Shortened, CutsWhatIsFurthestFromTheKernelFirstAndNeverTheSource) {
  Ask ask;
  ask.examples = Examples::few;
  const auto evaluated = std::make_shared<ScoredCandidate>();
  ask.feedback = {{"", 800, SourceFeedback{evaluated}},
                  {"", 800, ErrorFeedback{evaluated}},
                  {"", 800, HistoryFeedback{{evaluated, evaluated, evaluated}}}};
  const auto half = shortened(ask, 1);
  EXPECT_EQ(half.examples, Examples::none);
  EXPECT_EQ(half.feedback[0].token_budget, 800);
  EXPECT_EQ(half.feedback[1].token_budget, 400);
  EXPECT_EQ(std::get<HistoryFeedback>(half.feedback[2].data).attempts.size(), 2u);
  const auto least = shortened(ask, 3);
  ASSERT_EQ(least.feedback.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<SourceFeedback>(least.feedback[0].data));
  EXPECT_EQ(shortened(ask, 0).feedback.size(), 3u);
}

}  // namespace
}  // namespace ridgeline::campaign
