// One process's life of a campaign with a model and an evaluator of the bench's choice: as run_campaign, with
// the store on disk, the journal, the prompts and the strategies that every campaign has.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <stdexcept>
#include <utility>

#include "engine/campaign/campaign.hpp"
#include "engine/campaign/strategy_templates.hpp"

namespace ridgeline::bench {

class CampaignBed {
 public:
  using Clock = std::function<store::Milliseconds()>;

  /// `config` and `plan` outlive it.
  CampaignBed(const campaign::CampaignConfig& config, const campaign::Plan& plan, Clock now = by_the_clock)
      : config_(config),
        plan_(plan),
        now_(std::move(now)),
        templates_(config),
        store_(store::Store::open(config.store, store::OpenMode::create_or_resume)),
        writer_(store_, [this](std::function<void()> work) { boost::asio::post(io_, std::move(work)); }),
        reader_(store_),
        total_(config.total) {}

  boost::asio::io_context& io() { return io_; }

  /// Runs to the campaign's end and throws what ended it early.
  void run(llm::LlmClient& model, evaluation::Evaluator& evaluator) {
    const auto work = boost::asio::make_work_guard(io_);
    campaign::Progress silent;
    campaign::Services services{
        config_,
        templates_,
        machine_,
        [&](const std::string&) -> llm::LlmClient& { return model; },
        evaluator,
        conditions_,
        writer_,
        total_,
        silent,
        now_,
        [] { return 0.0; },
        [this](double, std::function<void()> then) { boost::asio::post(io_, std::move(then)); }};
    campaign::Campaign campaign(
        services, plan_, enroll(plan_, config_, conditions_, reader_, writer_, now_()), reader_,
        [this](std::function<void()> next) { boost::asio::post(io_, std::move(next)); });
    std::exception_ptr problem;
    campaign.start([&](std::exception_ptr error) {
      problem = error;
      io_.stop();
    });
    io_.run();
    campaign.stop("the bench has ended");
    writer_.flush();
    if (problem) std::rethrow_exception(problem);
    if (const auto* why = campaign.paused()) throw std::runtime_error("the campaign paused: " + why->reason);
  }

  static store::Milliseconds by_the_clock() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  }

 private:
  const campaign::CampaignConfig& config_;
  const campaign::Plan& plan_;
  Clock now_;
  campaign::StrategyTemplates templates_;
  prompts::Machine machine_{"one thread of a CPU", "g++ -O3"};
  campaign::Conditions conditions_{templates_.hash(), "", machine_, {}, model_documents(config_), {}};
  boost::asio::io_context io_;
  store::Store store_;
  store::Writer writer_;
  store::Reader reader_;
  campaign::BudgetMeter total_;
};

}  // namespace ridgeline::bench
