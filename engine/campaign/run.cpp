#include "engine/campaign/run.hpp"

#include <fmt/format.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <optional>

#include "engine/campaign/branch.hpp"
#include "engine/campaign/campaign.hpp"
#include "engine/campaign/compiled_baselines.hpp"
#include "engine/campaign/knowledge_folder.hpp"
#include "engine/campaign/machine.hpp"
#include "engine/campaign/preflight.hpp"
#include "engine/core/error.hpp"
#include "engine/evaluation/launcher.hpp"
#include "engine/evaluation/mailbox_evaluator.hpp"
#include "engine/evaluation/process_link.hpp"
#include "engine/evaluation/worker_pool.hpp"
#include "llm_clients/factory.hpp"

namespace ridgeline::campaign {
namespace asio = boost::asio;
namespace {

store::Milliseconds milliseconds_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

protocol::EvaluateSettings evaluate_settings(const WorkerChoice& worker) {
  protocol::EvaluateSettings settings;
  settings.isolation = worker.isolation;
  settings.profile = worker.profile;
  settings.energy = worker.energy;
  settings.timing_cap_seconds = worker.timing_cap_ms * 1e-3;
  settings.final_cases = true;
  settings.build_flags = worker.flags;
  settings.torch_headers = worker.torch_headers;
  settings.fallback = worker.fallback;
  return settings;
}

Spending spent(const store::Totals& totals) {
  // Possible costs count as costs: a cap must hold whatever the provider's bill says.
  return {totals.calls, totals.evaluations,
          totals.tokens.input + totals.tokens.output + totals.unsettled.tokens,
          totals.usd + totals.unsettled.usd};
}

/// The store of one run. Opened once everything else is known to be right: bad input leaves no file behind.
struct Records {
  Records(const std::string& file, store::Post post)
      : store(store::Store::open(file, store::OpenMode::create_or_resume)),
        writer(store, std::move(post)),
        reader(store),
        baselines(writer) {}

  store::Store store;
  store::Writer writer;
  store::Reader reader;
  BaselineKeeper baselines;
};

/// Everything one run holds, in the order in which it must go away.
class Session {
 public:
  Session(const CampaignConfig& config, const Plan& plan, Progress& progress, const RunOptions& options)
      : config_(config),
        plan_(plan),
        options_(options),
        templates_(config.prompts.empty() ? prompts::Templates::built_in()
                                          : prompts::Templates::with_overrides(config.prompts)),
        knowledge_(read_knowledge(config.knowledge, config.language)),
        work_(asio::make_work_guard(io_)),
        signals_(io_, SIGINT, SIGTERM),
        timer_(io_),
        total_(config.total),
        progress_(progress) {
    check_flags(config);
    for (const auto& model : config.models)
      clients_.emplace(model.name,
                       llm::make_client(
                           model, io_, [this](const llm::EndpointState& state) { progress_.endpoint(state); },
                           config.store + ".batches"));
  }

  RunResult run() {
    listen_for_signals();
    if (config_.worker.mailbox.empty())
      start_pool();
    else
      start_mailbox();
    io_.run();
    campaign_.reset();
    clients_.clear();
    if (pool_) pool_->stop();
    if (mailbox_) mailbox_->stop();
    try {
      if (run_ != 0 && !ended_)
        records_->writer.end_run(run_, milliseconds_now(), std::string(to_string(result_.end)),
                                 result_.why.reason);
      if (records_) records_->writer.flush();
    } catch (...) {
      if (!problem_) throw;  // the first cause wins: a store that failed may have been it
    }
    throw_problem();
    return result_;
  }

 private:
  void throw_problem() const {
    if (problem_) std::rethrow_exception(problem_);
  }

  /// The first signal lets calls that are paid for come to their end, the second one does not.
  void listen_for_signals() {
    signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      if (!campaign_ || interrupted_ || campaign_->calls_under_way() == 0) return stop(RunEnd::interrupted);
      interrupted_ = true;
      options_.log(fmt::format(
          "waiting for the calls under way, which are paid for; interrupt again to stop at once"));
      campaign_->stop_soon("interrupted");
      listen_for_signals();
    });
  }

  void start_pool() {
    evaluation::PoolSettings settings;
    settings.workers = config_.worker.count;
    settings.requirements = requirements_of(config_);
    if (config_.suite->profile().has_modules()) settings.modules_on = config_.worker.backend;
    auto links = evaluation::process_links(io_, evaluation::worker_command(config_.worker.launcher));
    pool_ = std::make_unique<evaluation::WorkerPool>(io_, settings, std::move(links), options_.log);
    evaluator_ = pool_.get();
    pool_->start([this](std::exception_ptr problem) {
      if (problem) return fail(problem);
      prove_own_tasks(config_, plan_.tasks, *pool_, [this](std::exception_ptr unsound) {
        if (unsound) return fail(unsound);
        start(machine_of(pool_->hellos().front(), config_));
      });
    });
  }

  void start_mailbox() {
    mailbox_ = std::make_unique<evaluation::MailboxEvaluator>(
        io_, evaluation::MailboxSettings{config_.worker.mailbox}, options_.log);
    evaluator_ = mailbox_.get();
    asio::post(io_, [this] { start(unknown_machine(config_)); });
  }

  void start(prompts::Machine machine) {
    try {
      machine_ = std::move(machine);
      records_.emplace(config_.store,
                       [this](std::function<void()> work) { asio::post(io_, std::move(work)); });
      conditions_ = {templates_.hash(), knowledge_hash(config_.knowledge, config_.language), machine_,
                     evaluate_settings(config_.worker), model_documents(config_)};
      services_.emplace(
          Services{config_, templates_, machine_,
                   [this](const std::string& model) -> llm::LlmClient& { return *clients_.at(model); },
                   *evaluator_, conditions_, records_->writer, total_, progress_, milliseconds_now,
                   [this] { return wall_before_ + seconds_running(); },
                   [this](double seconds, std::function<void()> then) { after(seconds, std::move(then)); },
                   knowledge_ ? &*knowledge_ : nullptr, &records_->baselines});
      auto enrolled = options_.fork ? enroll_or_branch(*services_, plan_, records_->reader, options_.log)
                                    : enroll(plan_, config_, conditions_, records_->reader, records_->writer,
                                             milliseconds_now());
      if (!plan_.suite.empty()) records_->writer.keep(enrolled.campaign.id, plan_.suite);
      run_ = records_->writer.begin_run(enrolled.campaign.id, began_at_);
      if (config_.worker.torch_compile) start_compiled(enrolled.campaign.id);
      const auto before = records_->reader.totals(enrolled.campaign.id);
      total_.restore(spent(before));
      wall_before_ = before.wall_seconds;
      campaign_ = std::make_unique<Campaign>(
          *services_, plan_, std::move(enrolled), records_->reader,
          [this](std::function<void()> work) { asio::post(io_, std::move(work)); });
      campaign_->start([this](std::exception_ptr error) {
        if (error) return fail(error);
        if (const auto* why = campaign_->paused()) {
          result_.why = *why;
          return stop(interrupted_ ? RunEnd::interrupted : RunEnd::paused);
        }
        ended_ = true;
        // Later work (compiled baselines) is no trajectory's time.
        records_->writer.end_run(run_, milliseconds_now(), std::string(to_string(RunEnd::finished)), "");
        if (compiled_) compiled_->release();
        stop_if_done();
      });
      if (options_.until_waiting) watch();
      pause_at_wall_cap();
    } catch (...) {
      fail(std::current_exception());
    }
  }

  /// A campaign that only waits (for an endpoint, say) asks no budget: the cap on wall time has a clock of
  /// its own.
  void pause_at_wall_cap() {
    if (!config_.total.wall_seconds) return;
    const double left = *config_.total.wall_seconds - wall_before_ - seconds_running();
    after(std::max(0.0, left), [this] {
      if (campaign_ && !ended_)
        campaign_->pause_for({fmt::format("campaign: the budget of {:.0f} s of wall time is spent",
                                          *config_.total.wall_seconds),
                              "wall_seconds"});
    });
  }

  /// Also those that an earlier run had no time for.
  void start_compiled(store::Id campaign) {
    compiled_.emplace(*config_.worker.torch_compile, plan_.tasks, records_->reader.baselines(),
                      CompiledBaselines::Means{*evaluator_, records_->writer, services_->conditions.evaluate,
                                               milliseconds_now, options_.log});
    compiled_->when_done([this] { stop_if_done(); });
    records_->baselines.want_compiled(*compiled_);
    if (mailbox_) compiled_->release();  // nothing waits while others measure
    for (const auto& [task, device] : records_->reader.timed_places(campaign)) compiled_->want(task, device);
  }

  void stop_if_done() {
    if (ended_ && (!compiled_ || compiled_->waiting() == 0)) stop(RunEnd::finished);
  }

  /// Looks over two seconds that all see nothing but waiting: what lies in an inbox is read in between.
  void watch() {
    timer_.expires_after(std::chrono::milliseconds(500));
    timer_.async_wait([this](const boost::system::error_code& error) {
      if (error || !campaign_) return;
      quiet_looks_ = only_waiting() ? quiet_looks_ + 1 : 0;
      if (quiet_looks_ >= 4) return stop(RunEnd::waiting);
      watch();
    });
  }

  bool only_waiting() const {
    const bool measured_here = !mailbox_ && compiled_ && compiled_->measuring() > 0;
    return !measured_here && (ended_ || campaign_->only_waiting(mailbox_ != nullptr));
  }

  void fail(std::exception_ptr problem) {
    if (!problem_) problem_ = problem;
    stop(RunEnd::interrupted);
  }

  void stop(RunEnd end) {
    result_.end = end;
    if (campaign_) campaign_->stop(std::string(to_string(end)));
    work_.reset();
    io_.stop();
  }

  void after(double seconds, std::function<void()> then) {
    const auto timer = std::make_shared<asio::steady_timer>(io_);
    timer->expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(seconds)));
    timer->async_wait([timer, then = std::move(then)](const boost::system::error_code& error) {
      if (!error) then();
    });
  }

  double seconds_running() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

  const CampaignConfig& config_;
  const Plan& plan_;
  const RunOptions& options_;
  prompts::Templates templates_;
  std::optional<prompts::KnowledgeIndex> knowledge_;
  prompts::Machine machine_;
  Conditions conditions_;
  asio::io_context io_;
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  asio::signal_set signals_;
  asio::steady_timer timer_;
  std::optional<Records> records_;
  BudgetMeter total_;
  Progress& progress_;
  std::map<std::string, std::unique_ptr<llm::LlmClient>> clients_;
  std::unique_ptr<evaluation::WorkerPool> pool_;
  std::unique_ptr<evaluation::MailboxEvaluator> mailbox_;
  evaluation::Evaluator* evaluator_ = nullptr;
  std::optional<Services> services_;
  std::optional<CompiledBaselines> compiled_;
  std::unique_ptr<Campaign> campaign_;
  bool ended_ = false;  ///< every trajectory
  std::exception_ptr problem_;
  RunResult result_;
  bool interrupted_ = false;
  store::Id run_ = 0;       ///< this one's in the store, once it began
  double wall_before_ = 0;  ///< seconds of the campaign's earlier runs
  store::Milliseconds began_at_ = milliseconds_now();
  int quiet_looks_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

RunResult run_campaign(const CampaignConfig& config, const Plan& plan, Progress& progress,
                       const RunOptions& options) {
  Session session(config, plan, progress, options);
  return session.run();
}

}  // namespace ridgeline::campaign
