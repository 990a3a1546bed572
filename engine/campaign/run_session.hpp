// Performs one run of a campaign (from the start of `ridgeline run` to its end): owns the event loop, the
// store, models and workers, and ends them in order. Private to run.cpp; tests drive Campaign itself.
//
// Everything happens on the thread that calls `run`, which runs the event loop until `run` returns.
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
#include "engine/campaign/strategy_templates.hpp"
#include "engine/evaluation/mailbox_evaluator.hpp"
#include "engine/evaluation/worker_pool.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
#include "engine/store/writer.hpp"

namespace ridgeline::campaign {

/// The store of one run. Opened once everything else is known to be right: bad input leaves no file behind.
/// `post` runs a function on the event loop, soon.
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

/// Starts the workers first, or opens the mailbox of verdicts: prompts describe the machine as a worker's
/// first message, its hello, reports it. Then opens the store and starts the campaign.
class RunSession {
 public:
  /// Makes a client for each model. Throws BadInput before anything is opened. Borrows its arguments, which
  /// must outlive this object.
  RunSession(const CampaignConfig& config, const Plan& plan, Progress& progress, const RunOptions& options);

  /// Runs the event loop until the run ends (RunEnd). Call once. If an error ends the run, throws the first
  /// error.
  RunResult run();

 private:
  void listen_for_signals();
  void start_pool();
  void start_mailbox();
  void start_campaign(prompts::Machine machine);
  void open_store();
  void on_campaign_end(std::exception_ptr error);
  /// Pauses the campaign once the cap on its wall time is reached; the run then ends as `paused`.
  void pause_at_wall_cap();
  /// Has torch.compile's times measured for tasks that were answered correctly.
  void start_compiled_baselines(store::Id campaign);
  void end_if_done();
  /// Checks every half second whether `only_waiting`, and ends the run as RunEnd::waiting after four such
  /// checks in a row. Only with RunOptions::until_waiting.
  void check_for_waiting_soon();
  /// Whether only answers in mailboxes, of models or of a worker, can bring the campaign further.
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
  StrategyTemplates templates_;
  std::optional<prompts::KnowledgeIndex> knowledge_;
  prompts::Machine machine_;
  Conditions conditions_;  ///< what all trajectories' identities share (identity.hpp)
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer waiting_check_timer_;
  std::optional<RunStore> store_;
  BudgetMeter campaign_budget_;  ///< what all trajectories spend, against the caps of `budget.total`
  Progress& progress_;
  std::map<std::string, std::unique_ptr<llm::LlmClient>> clients_;  ///< by the model's name
  std::unique_ptr<evaluation::WorkerPool> pool_;                    ///< either this
  std::unique_ptr<evaluation::MailboxEvaluator> mailbox_;           ///< or this
  evaluation::Evaluator* evaluator_ = nullptr;                      ///< points to one of the two
  std::optional<Services> services_;
  std::optional<CompiledBaselines> compiled_;  ///< times of torch.compile; set if the campaign asks for them
  std::unique_ptr<Campaign> campaign_;
  bool trajectories_ended_ = false;  ///< all of them, so that only times of torch.compile may be left
  std::exception_ptr problem_;       ///< the first error that ended the run
  RunResult result_;
  bool interrupted_ = false;        ///< a signal came; calls under way come to their end
  store::Id run_ = 0;               ///< id of this run in the store; 0 before it is recorded
  double wall_seconds_before_ = 0;  ///< wall time of the campaign's earlier runs
  store::Milliseconds began_at_;    ///< by the system's clock, for the store
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  int checks_that_saw_waiting_ = 0;  ///< in a row, for check_for_waiting_soon
};

}  // namespace ridgeline::campaign
