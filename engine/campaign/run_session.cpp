#include "engine/campaign/run_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <csignal>

#include "engine/campaign/branch.hpp"
#include "engine/campaign/call_cost.hpp"
#include "engine/campaign/knowledge_folder.hpp"
#include "engine/campaign/machine.hpp"
#include "engine/campaign/preflight.hpp"
#include "engine/evaluation/launcher.hpp"
#include "engine/evaluation/process_link.hpp"
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
  settings.all_counters = worker.all_counters;
  settings.energy = worker.energy;
  settings.timing_cap_seconds = worker.timing_cap_ms * 1e-3;
  settings.precision_goal = worker.precision_goal;
  settings.final_cases = true;
  settings.build_flags = worker.flags;
  settings.torch_headers = worker.torch_headers;
  settings.fallback = worker.fallback;
  return settings;
}

}  // namespace

RunSession::RunSession(const CampaignConfig& config, const Plan& plan, Progress& progress,
                       const RunOptions& options)
    : config_(config),
      plan_(plan),
      options_(options),
      templates_(config),
      knowledge_(read_knowledge(config.knowledge, config.language)),
      work_(asio::make_work_guard(io_)),
      signals_(io_, SIGINT, SIGTERM),
      waiting_check_timer_(io_),
      campaign_budget_(config.total),
      progress_(progress),
      began_at_(milliseconds_now()) {
  check_flags(config);
  for (const auto& model : config.models)
    clients_.emplace(model.name,
                     llm::make_client(
                         model, io_, [this](const llm::EndpointState& state) { progress_.endpoint(state); },
                         config.store + ".batches"));
}

RunResult RunSession::run() {
  listen_for_signals();
  if (config_.worker.mailbox.empty())
    start_pool();
  else
    start_mailbox();
  io_.run();
  // Trajectories go first: they hold callbacks of the clients and of the evaluator.
  campaign_.reset();
  clients_.clear();
  if (pool_) pool_->stop();
  if (mailbox_) mailbox_->stop();
  try {
    record_end_of_run();
  } catch (...) {
    if (!problem_) throw;  // the first cause wins: a store that failed may have been it
  }
  if (problem_) std::rethrow_exception(problem_);
  return result_;
}

void RunSession::record_end_of_run() {
  if (!store_) return;
  if (run_ != 0 && !trajectories_ended_)  // otherwise it is recorded: see on_campaign_end
    store_->writer.end_run(run_, milliseconds_now(), std::string(to_string(result_.end)),
                           result_.pause.reason);
  store_->writer.flush();
}

// The first signal lets calls that are paid for come to their end; the second stops at once.
void RunSession::listen_for_signals() {
  signals_.async_wait([this](const boost::system::error_code& error, int) {
    if (error) return;
    if (!campaign_ || interrupted_ || campaign_->calls_under_way() == 0) return stop(RunEnd::interrupted);
    interrupted_ = true;
    options_.log(
        fmt::format("waiting for the calls under way, which are paid for; interrupt again to stop at once"));
    campaign_->stop_soon("interrupted");
    listen_for_signals();
  });
}

void RunSession::start_pool() {
  evaluation::PoolSettings settings;
  settings.workers = config_.worker.count;
  settings.requirements = requirements_of(config_);
  if (config_.suite->profile().has_modules()) settings.modules_on = config_.worker.backend;
  auto links = evaluation::process_links(io_, evaluation::worker_command(config_.worker.launcher));
  pool_ = std::make_unique<evaluation::WorkerPool>(io_, settings, std::move(links), options_.log);
  evaluator_ = pool_.get();
  // The campaign waits for a worker: only its report says what prompts call the machine.
  pool_->start([this](std::exception_ptr problem) {
    if (problem) return fail(problem);
    prove_own_tasks(config_, plan_.tasks, *pool_, [this](std::exception_ptr unsound) {
      if (unsound) return fail(unsound);
      start_campaign(machine_of(pool_->hellos().front(), config_));
    });
  });
}

void RunSession::start_mailbox() {
  mailbox_ = std::make_unique<evaluation::MailboxEvaluator>(
      io_, evaluation::MailboxSettings{config_.worker.mailbox}, options_.log);
  evaluator_ = mailbox_.get();
  asio::post(io_, [this] { start_campaign(machine_without_hello(config_)); });
}

void RunSession::open_store() {
  store_.emplace(config_.store, [this](std::function<void()> work) { asio::post(io_, std::move(work)); });
  conditions_ = {templates_.hash(),
                 knowledge_hash(config_.knowledge, config_.language),
                 machine_,
                 evaluate_settings(config_.worker),
                 model_documents(config_),
                 templates_.own_hashes()};
  services_.emplace(
      Services{config_, templates_, machine_,
               [this](const std::string& model) -> llm::LlmClient& { return *clients_.at(model); },
               *evaluator_, conditions_, store_->writer, campaign_budget_, progress_, milliseconds_now,
               [this] { return wall_seconds_before_ + seconds_running(); },
               [this](double seconds, std::function<void()> then) { after(seconds, std::move(then)); },
               knowledge_ ? &*knowledge_ : nullptr, &store_->baselines});
}

void RunSession::start_campaign(prompts::Machine machine) {
  try {
    machine_ = std::move(machine);
    open_store();
    auto enrolled = options_.fork ? enroll_or_branch(*services_, plan_, store_->reader, options_.log)
                                  : enroll(plan_, config_, conditions_, store_->reader, store_->writer,
                                           milliseconds_now());
    if (!plan_.suite.empty()) store_->writer.keep_suite(enrolled.campaign.id, plan_.suite);
    // Recording the run first closes calls that a killed run left open, so that the totals count them.
    run_ = store_->writer.begin_run(enrolled.campaign.id, began_at_);
    if (config_.worker.torch_compile) start_compiled_baselines(enrolled.campaign.id);
    const auto before = store_->reader.totals(enrolled.campaign.id);
    campaign_budget_.restore(spending_of(before));
    wall_seconds_before_ = before.wall_seconds;
    campaign_ =
        std::make_unique<Campaign>(*services_, plan_, std::move(enrolled), store_->reader,
                                   [this](std::function<void()> work) { asio::post(io_, std::move(work)); });
    campaign_->start([this](std::exception_ptr error) { on_campaign_end(error); });
    if (options_.until_waiting) check_for_waiting_soon();
    pause_at_wall_cap();
  } catch (...) {
    fail(std::current_exception());
  }
}

void RunSession::on_campaign_end(std::exception_ptr error) {
  if (error) return fail(error);
  if (const auto* why = campaign_->paused()) {
    result_.pause = *why;
    return stop(interrupted_ ? RunEnd::interrupted : RunEnd::paused);
  }
  trajectories_ended_ = true;
  // The run ends here for its wall time: compiled baselines, which come now, are no trajectory's time.
  store_->writer.end_run(run_, milliseconds_now(), std::string(to_string(RunEnd::finished)), "");
  if (compiled_) compiled_->release();
  end_if_done();
}

// A campaign that only waits (for an endpoint, say) admits nothing and so checks no budget: the cap on wall
// time has a timer of its own.
void RunSession::pause_at_wall_cap() {
  if (!config_.total.wall_seconds) return;
  const double left = *config_.total.wall_seconds - wall_seconds_before_ - seconds_running();
  after(std::max(0.0, left), [this] {
    if (campaign_ && !trajectories_ended_)
      campaign_->pause_for(
          {fmt::format("campaign: the budget of {:.0f} s of wall time is spent", *config_.total.wall_seconds),
           "wall_seconds"});
  });
}

void RunSession::start_compiled_baselines(store::Id campaign) {
  compiled_.emplace(
      *config_.worker.torch_compile, plan_.tasks, store_->reader.baselines(),
      CompiledBaselines::Dependencies{*evaluator_, store_->writer, services_->conditions.evaluate,
                                      milliseconds_now, options_.log});
  compiled_->when_done([this] { end_if_done(); });
  store_->baselines.want_compiled(*compiled_);
  // A mailbox's worker takes no time from trajectories here: its requests go out at once.
  if (mailbox_) compiled_->release();
  // An earlier run may have been stopped before it measured these.
  for (const auto& [task, device] : store_->reader.timed_places(campaign)) compiled_->want(task, device);
}

void RunSession::end_if_done() {
  if (trajectories_ended_ && (!compiled_ || compiled_->waiting() == 0)) stop(RunEnd::finished);
}

// Four checks over two seconds must all see nothing but waiting: an inbox is read once a second, and what
// lies in it would bring the campaign further.
void RunSession::check_for_waiting_soon() {
  waiting_check_timer_.expires_after(std::chrono::milliseconds(500));
  waiting_check_timer_.async_wait([this](const boost::system::error_code& error) {
    if (error || !campaign_) return;
    checks_that_saw_waiting_ = only_waiting() ? checks_that_saw_waiting_ + 1 : 0;
    if (checks_that_saw_waiting_ >= 4) return stop(RunEnd::waiting);
    check_for_waiting_soon();
  });
}

bool RunSession::only_waiting() const {
  const bool measured_here = !mailbox_ && compiled_ && compiled_->measuring() > 0;
  return !measured_here && (trajectories_ended_ || campaign_->only_waiting(mailbox_ != nullptr));
}

void RunSession::fail(std::exception_ptr problem) {
  if (!problem_) problem_ = problem;
  stop(RunEnd::interrupted);
}

void RunSession::stop(RunEnd end) {
  result_.end = end;
  if (campaign_) campaign_->stop(std::string(to_string(end)));
  work_.reset();
  io_.stop();
}

void RunSession::after(double seconds, std::function<void()> then) {
  const auto timer = std::make_shared<asio::steady_timer>(io_);
  timer->expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds)));
  // The handler holds the timer: nobody else does.
  timer->async_wait([timer, then = std::move(then)](const boost::system::error_code& error) {
    if (!error) then();
  });
}

double RunSession::seconds_running() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

}  // namespace ridgeline::campaign
