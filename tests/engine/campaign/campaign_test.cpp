#include "engine/campaign/campaign.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <filesystem>

#include "engine/core/error.hpp"
#include "engine/store/journal.hpp"
#include "tests/engine/campaign/fakes.hpp"

namespace ridgeline::campaign {
namespace {

namespace asio = boost::asio;

Task a_task() {
  Task task;
  task.name = "t";
  task.category = "Math";
  task.sizes = {"N"};
  task.parameters = {Tensor{"x", DType::float32, Role::in, {Expression::parse("N")}, {}, ""},
                     Tensor{"y", DType::float32, Role::out, {Expression::parse("N")}, {}, ""}};
  task.cases = {Case{"small", {{"N", 8}}, true, false, false}};
  task.reference = "def reference(x):\n    return x";
  task.operations = Expression::parse("N");
  task.bytes = Expression::parse("8 * N");
  task.hash = hash_of(task);
  return task;
}

class CampaignRuns : public testing::Test {
 protected:
  CampaignRuns()
      : folder_(std::filesystem::temp_directory_path() / ("ridgeline-campaign-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    config_.name = "trial";
    config_.strategies = {
        {"best", "best_of_n", {{"n", std::int64_t{4}}}},
        {"chain", "iterative", {{"rounds", std::int64_t{5}}, {"feedback", std::string("g_e")}}}};
    config_.models.resize(1);
    config_.models[0].name = "fake";
    config_.roles["generator"] = "fake";
    config_.seeds = {0, 1};
    config_.store = folder_ / "trial.db";
    plan_ = make_plan(config_, {a_task()});
  }
  ~CampaignRuns() override { std::filesystem::remove_all(folder_); }

  struct Run {
    int calls = 0;
    int evaluations = 0;
    std::vector<LlmRequest> requests;
    std::string error;
    std::vector<store::TrajectoryRecord> trajectories;
    std::vector<store::JournalEntry> journal;  // of all trajectories, in order
    store::Totals totals;
  };

  /// One process's life: opens the store, runs, and stops after `answers` (for ever if negative) as if it had
  /// been killed.
  Run run(int answers = -1, LlmStatus status = LlmStatus::answered) {
    Run seen;
    asio::io_context io;
    auto work = asio::make_work_guard(io);
    const auto store = store::Store::open(config_.store, store::OpenMode::create_or_resume);
    store::Writer writer(store, [&](std::function<void()> done) { asio::post(io, std::move(done)); });
    const store::Reader reader(store);
    FakeModel model(io);
    model.status = status;
    FakeEvaluator evaluator(io);
    BudgetMeter total(config_.total);
    Progress silent;
    const auto templates = prompts::Templates::built_in();
    const prompts::Machine machine{"one thread", "g++"};
    Services services{config_,
                      templates,
                      machine,
                      [&](const std::string&) -> LlmClient& {
                        if (answers >= 0 && static_cast<int>(model.requests.size()) >= answers)
                          model.silent = true;
                        return model;
                      },
                      evaluator,
                      {},
                      writer,
                      total,
                      silent,
                      [] { return store::Milliseconds{1}; },
                      [] { return 0.0; },
                      knowledge_ ? &*knowledge_ : nullptr};
    auto enrolled = enroll(plan_, config_, templates, reader, writer, 1);
    const auto id = enrolled.campaign.id;
    Campaign campaign(services, plan_, std::move(enrolled), reader,
                      [&](std::function<void()> next) { asio::post(io, std::move(next)); });
    campaign.start([&](std::exception_ptr error) {
      try {
        if (error) std::rethrow_exception(error);
      } catch (const std::exception& what) {
        seen.error = what.what();
      }
      work.reset();
      io.stop();
    });
    if (answers < 0)
      io.run();
    else
      while (!model.silent || evaluator.evaluations < answers) io.run_one();
    campaign.stop();
    writer.flush();
    seen.calls = static_cast<int>(model.requests.size());
    seen.requests = model.requests;
    seen.evaluations = evaluator.evaluations;
    seen.trajectories = reader.trajectories(id);
    seen.totals = reader.totals(id);
    for (const auto& trajectory : seen.trajectories)
      for (auto& entry : store::load_journal(reader, trajectory.id)) seen.journal.push_back(std::move(entry));
    return seen;
  }

  std::filesystem::path folder_;
  CampaignConfig config_;
  std::optional<prompts::KnowledgeIndex> knowledge_;
  Plan plan_;
};

std::vector<std::string> walk(const std::vector<store::JournalEntry>& journal) {
  std::vector<std::string> lines;
  for (const auto& entry : journal) {
    if (const auto* ask = std::get_if<store::AskEntry>(&entry))
      lines.push_back("ask " + ask->record.request_hash + " " + ask->record.candidate);
    else
      lines.push_back("verdict " + std::get<store::EvaluationRecord>(entry).request_hash);
  }
  return lines;
}

int answers_in(const std::vector<store::JournalEntry>& journal) {
  return static_cast<int>(std::count_if(journal.begin(), journal.end(), [](const auto& entry) {
    return std::holds_alternative<store::AskEntry>(entry);
  }));
}

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

TEST_F(CampaignRuns, RefusesRecordsOfAnotherRequest) {
  run(3);
  config_.prompts = "";
  plan_.tasks[0].description =
      "another text in every prompt";  // and the same task hash: a template that changed
  const auto again = run();
  EXPECT_NE(again.error.find("belongs to another request"), std::string::npos) << again.error;
  EXPECT_NE(again.error.find("--set name="), std::string::npos) << again.error;
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

TEST_F(CampaignRuns, WhatAStrategyRetrievesStandsInThePromptAndInItsHash) {
  config_.strategies = {{"geak", "geak", {{"rounds", std::int64_t{1}}, {"knowledge", std::string("bm25")}}}};
  config_.seeds = {0};
  plan_ = make_plan(config_, {a_task()});
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

TEST_F(CampaignRuns, ARefusedKeyStopsTheCampaignAndIsNotRecorded) {
  const auto seen = run(-1, LlmStatus::unauthorized);
  EXPECT_NE(seen.error.find("the model 'fake' cannot be asked (unauthorized)"), std::string::npos);
  EXPECT_TRUE(seen.journal.empty());
  EXPECT_EQ(run().error, "") << "it goes on once the key is mended";
}

TEST_F(CampaignRuns, NewSeedsAreAddedToACampaignThatExists) {
  run();
  config_.seeds = {0, 1, 2};
  plan_ = make_plan(config_, {a_task()});
  EXPECT_EQ(run().calls, 9);
}

}  // namespace
}  // namespace ridgeline::campaign
