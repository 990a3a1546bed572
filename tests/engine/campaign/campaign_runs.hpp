// A small campaign over fakes and a store on disk, run as one process after the other would run it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/branch.hpp"
#include "engine/campaign/call_cost.hpp"
#include "engine/campaign/campaign.hpp"
#include "engine/core/error.hpp"
#include "engine/store/journal.hpp"
#include "tests/engine/campaign/fakes.hpp"

namespace ridgeline::campaign {

inline Task a_task() {
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
    plan_ = make_plan(config_, {{a_task()}, {}});
  }
  ~CampaignRuns() override { std::filesystem::remove_all(folder_); }

  struct Run {
    int calls = 0;
    int evaluations = 0;
    std::vector<llm::LlmRequest> requests;
    std::string error;
    std::string log;
    store::CampaignRecord campaign;
    std::vector<store::TrajectoryRecord> trajectories;
    std::vector<store::JournalEntry> journal;  // of all trajectories, one after the other
    std::vector<store::EffectEvent> events;
    store::Totals totals;
    int cancelled = 0;                                       // calls to the model that were broken off
    bool only_waits_for_models = false, only_waits = false;  // at the end of the run
    std::optional<Pause> paused;
    int billed = 0;      // answers that the model would bill
    bool ended = false;  // the campaign ended by itself
    Spending spent;      // what the campaign's meter counted
  };

  /// Lives through one process: opens the store, runs, and stops after `answers` as if it had been killed.
  /// Runs to the end if `answers` is negative.
  Run run(int answers = -1, llm::LlmStatus status = llm::LlmStatus::answered) {
    Run seen;
    boost::asio::io_context io;
    auto work = boost::asio::make_work_guard(io);
    const auto store = store::Store::open(config_.store, store::OpenMode::create_or_resume);
    FakeModel model(io);
    store::Writer writer(store, [&](std::function<void()> done) {
      boost::asio::post(io, [&model, done = std::move(done)] {
        done();
        model.committed();
      });
    });
    const store::Reader reader(store);
    model.status = status;
    model.fault = fault_;
    model.unsettled = unsettled_;
    model.longest_prompt = longest_prompt_;
    model.random = random_;
    FakeEvaluator evaluator(io);
    evaluator.most = verdicts_;
    evaluator.failing = failing_;
    evaluator.reason = reason_;
    evaluator.works = works_;
    evaluator.first_correct = first_correct_;
    BudgetMeter total(config_.total);
    Progress silent;
    const StrategyTemplates templates(config_);
    const prompts::Machine machine{device_, "g++"};
    const Conditions conditions{templates.hash(),      "", machine, {}, model_documents(config_),
                                templates.own_hashes()};
    Services services{config_,
                      templates,
                      machine,
                      [&](const std::string&) -> llm::LlmClient& {
                        if (answers >= 0 && static_cast<int>(model.requests.size()) >= answers)
                          model.silent = true;
                        return model;
                      },
                      evaluator,
                      conditions,
                      writer,
                      total,
                      silent,
                      [] { return store::Milliseconds{1}; },
                      [] { return 0.0; },
                      [&](double, std::function<void()> then) { boost::asio::post(io, std::move(then)); },
                      knowledge_ ? &*knowledge_ : nullptr};
    auto enrolled =
        fork_ ? enroll_or_branch(services, plan_, reader, [&](const std::string& line) { seen.log += line; })
              : enroll(plan_, config_, conditions, reader, writer, 1);
    const auto id = enrolled.campaign.id;
    const auto process = writer.begin_run(id, 1);
    total.restore(spent_before(reader));  // what was under way at a kill counts since begin_run
    seen.campaign = enrolled.campaign;
    Campaign campaign(services, plan_, std::move(enrolled), reader,
                      [&](std::function<void()> next) { boost::asio::post(io, std::move(next)); });
    campaign.start([&](std::exception_ptr error) {
      try {
        if (error) std::rethrow_exception(error);
      } catch (const std::exception& what) {
        seen.error = what.what();
      }
      work.reset();
      io.stop();
    });
    if (steps_ >= 0)
      for (int step = 0; step < steps_ && !io.stopped(); ++step) io.run_one();
    else if (answers < 0)
      io.run();
    else
      while (!model.silent || evaluator.evaluations < answers) io.run_one();
    writer.flush();
    if (steps_ < 0) io.poll();
    seen.only_waits_for_models = campaign.only_waiting(false);
    seen.only_waits = campaign.only_waiting(true);
    seen.ended = io.stopped();
    if (answers < 0 && steps_ < 0) {
      campaign.stop("stopped by the test");
      writer.end_run(process, 2, "finished", "");
    }
    if (campaign.paused()) seen.paused = *campaign.paused();
    seen.billed = model.answered;
    seen.spent = total.spent();
    seen.cancelled = model.broken_off;
    writer.flush();
    seen.calls = static_cast<int>(model.requests.size());
    seen.requests = model.requests;
    seen.evaluations = evaluator.evaluations;
    seen.trajectories = reader.trajectories(id);
    seen.totals = reader.totals(id);
    for (const auto& trajectory : seen.trajectories)
      for (auto& event : store::load_effect_events(reader, trajectory.id)) seen.events.push_back(event);
    for (const auto& trajectory : seen.trajectories)
      for (auto& entry : store::load_journal(reader, trajectory.id)) seen.journal.push_back(std::move(entry));
    return seen;
  }

  Spending spent_before(const store::Reader& reader) const {
    const auto campaign = newest_branch(reader, config_.name);
    if (!campaign) return {};
    return spending_of(reader.totals(campaign->id));
  }

  std::filesystem::path folder_;
  std::string device_ = "one thread";
  llm::Fault fault_ = llm::Fault::none;
  llm::Cost unsettled_;
  std::size_t longest_prompt_ = 0;
  std::function<bool(const Candidate&)> failing_;
  Reason reason_ = Reason::worker_lost;
  bool works_ = true;
  CampaignConfig config_;
  bool fork_ = false;
  int verdicts_ = -1;               // verdicts that a run gets; negative for all
  int steps_ = -1;                  // handlers of the event loop before the kill; negative for no kill
  char first_correct_ = '8';        // see FakeEvaluator
  std::mt19937* random_ = nullptr;  // draws the order of answers; null for the order of requests
  std::optional<prompts::KnowledgeIndex> knowledge_;
  Plan plan_;
};

/// Lists the journal's requests and verdicts by hash: equal lists are equal walks.
inline std::vector<std::string> walk(const std::vector<store::JournalEntry>& journal) {
  std::vector<std::string> lines;
  for (const auto& entry : journal) {
    if (const auto* ask = std::get_if<store::AskEntry>(&entry))
      lines.push_back("ask " + ask->record.request_hash + " " + ask->record.candidate);
    else
      lines.push_back("verdict " + std::get<store::EvaluationRecord>(entry).request_hash);
  }
  return lines;
}

inline int answers_in(const std::vector<store::JournalEntry>& journal) {
  return static_cast<int>(std::count_if(journal.begin(), journal.end(), [](const auto& entry) {
    return std::holds_alternative<store::AskEntry>(entry);
  }));
}

}  // namespace ridgeline::campaign
