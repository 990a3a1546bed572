// Runs a campaign once in this process: owns the event loop, the store, models and workers, and ends them in
// order. Private to run.cpp; tests drive Campaign itself.
//
// One thread: the one that calls `run`. It runs the event loop, and is the campaign's thread meanwhile.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/campaign/baseline_keeper.hpp"
#include "engine/campaign/campaign.hpp"
#include "engine/campaign/compiled_baselines.hpp"
#include "engine/campaign/run.hpp"
#include "engine/evaluation/mailbox_evaluator.hpp"
#include "engine/evaluation/worker_pool.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
#include "engine/store/writer.hpp"

namespace ridgeline::campaign {

/// The store of one run. Opened once everything else is known to be right: bad input leaves no file behind.
struct RunStore {
  RunStore(const std::string& file, store::Post post)
      : store(store::Store::open(file, store::OpenMode::create_or_resume)),
        writer(store, std::move(post)),
        reader(store),
        baselines(writer) {}

  store::Store store;
  store::Writer writer;
  store::Reader reader;
  BaselineKeeper baselines;
};

/// Starts with workers, whose report says what prompts call the machine; then opens the store and starts the
/// campaign.
class RunSession {
 public:
  /// Makes a client for each model. Throws BadInput before anything is opened. Borrows its arguments, which
  /// must outlive this object.
  RunSession(const CampaignConfig& config, const Plan& plan, Progress& progress, const RunOptions& options);

  /// Runs the event loop until the campaign ends. Call once. Throws what made going on impossible.
  RunResult run();

 private:
  void listen_for_signals();
  void start_pool();
  void start_mailbox();
  void start_campaign(prompts::Machine machine);
  void open_store();
  void on_campaign_end(std::exception_ptr error);
  void pause_at_wall_cap();
  void start_compiled_baselines(store::Id campaign);
  void end_if_done();
  void check_for_waiting_soon();
  bool only_waiting() const;
  void fail(std::exception_ptr problem);
  /// Ends the event loop; `run` then cleans up.
  void stop(RunEnd end);
  void record_end_of_run();
  void after(double seconds, std::function<void()> then);
  double seconds_running() const;

  // The order of the members is the order in which they are built; they go away in reverse. Trajectories call
  // models and evaluators, and both call back on the event loop.
  const CampaignConfig& config_;
  const Plan& plan_;
  const RunOptions& options_;
  prompts::Templates templates_;
  std::optional<prompts::KnowledgeIndex> knowledge_;
  prompts::Machine machine_;
  Conditions conditions_;
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer waiting_check_timer_;
  std::optional<RunStore> store_;
  BudgetMeter total_;
  Progress& progress_;
  std::map<std::string, std::unique_ptr<llm::LlmClient>> clients_;  ///< by the model's name
  std::unique_ptr<evaluation::WorkerPool> pool_;                    ///< either this
  std::unique_ptr<evaluation::MailboxEvaluator> mailbox_;           ///< or this
  evaluation::Evaluator* evaluator_ = nullptr;                      ///< points to one of the two
  std::optional<Services> services_;
  std::optional<CompiledBaselines> compiled_;
  std::unique_ptr<Campaign> campaign_;
  bool trajectories_ended_ = false;  ///< all of them, so that only compiled baselines may be left
  std::exception_ptr problem_;       ///< the first error that made going on impossible
  RunResult result_;
  bool interrupted_ = false;
  store::Id run_ = 0;               ///< id of this run in the store; 0 before it is recorded
  double wall_seconds_before_ = 0;  ///< wall time of the campaign's earlier runs
  store::Milliseconds began_at_;    ///< by the system's clock, for the store
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  int checks_that_saw_waiting_ = 0;  ///< in a row
};

}  // namespace ridgeline::campaign
