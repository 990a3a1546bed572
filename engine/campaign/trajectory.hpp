// One trajectory: a strategy's coroutine and the performance of its effects.
//
// Every effect goes through the journal. Recorded: its result returns at once. Not recorded: it is admitted
// by the budgets, performed, committed to the store, and only then returned. So a killed engine loses nothing
// that a strategy has seen, and running the coroutine again over its journal gives the same walk.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/baseline_keeper.hpp"
#include "engine/campaign/budget.hpp"
#include "engine/campaign/config.hpp"
#include "engine/campaign/progress.hpp"
#include "engine/campaign/recorded_steps.hpp"
#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "engine/store/records.hpp"
#include "engine/store/writer.hpp"
#include "llm_clients/client.hpp"
#include "prompts/renderer.hpp"

namespace ridgeline::campaign {

/// What all trajectories of a campaign share; outlives them. Everything runs on the campaign's one thread.
struct Services {
  const CampaignConfig& config;
  const prompts::Templates& templates;
  const prompts::Machine& machine;
  std::function<llm::LlmClient&(const std::string& model)> client;
  evaluation::Evaluator& evaluator;
  protocol::EvaluateSettings evaluate_settings;
  store::Writer& writer;
  BudgetMeter& total;
  Progress& progress;
  std::function<store::Milliseconds()> now;
  std::function<double()> wall_seconds;                ///< of all runs of the campaign together
  const prompts::KnowledgeIndex* knowledge = nullptr;  ///< the campaign's corpus; null if it names none
  BaselineKeeper* baselines = nullptr;                 ///< null: what verdicts say of baselines is not kept
};

class Trajectory final : private Effects {
 public:
  using Ended = std::function<void(std::exception_ptr)>;

  /// `journal` is what earlier runs recorded, in any order.
  Trajectory(Services& services, store::TrajectoryRecord record, std::shared_ptr<const Task> task,
             const strategies::StrategyFunction& strategy, std::vector<store::JournalEntry> journal);
  ~Trajectory() override;

  /// `ended` is called once, with what ended it early or null. It must not destroy this object at once: the
  /// coroutine is still on the stack.
  void start(Ended ended);

  const store::TrajectoryRecord& record() const { return record_; }
  const std::string& where() const { return where_; }
  /// Requests to models that have not come back.
  int waiting_for_models() const { return waiting_for_models_; }
  /// Candidates whose verdict has not come yet.
  int waiting_for_verdicts() const { return waiting_for_verdicts_; }
  /// The first step of which the journal holds something that was not asked for again, as far as it has
  /// walked.
  std::optional<int> first_unmatched() const { return recorded_.first_left(); }

 private:
  struct Pending;  // a batch under way
  using PendingPtr = std::shared_ptr<Pending>;

  void perform(Batch batch, Done done) override;
  void ask(const PendingPtr& batch, std::size_t slot);
  void on_answer(const PendingPtr& batch, std::size_t slot, store::AskRecord record, llm::LlmResult result);
  void commit_answer(const PendingPtr& batch, std::size_t slot, store::AskRecord record, Answer answer);
  void answered(const PendingPtr& batch, std::size_t slot, Answer answer);
  void evaluate(const PendingPtr& batch, std::size_t slot);
  void commit_verdict(const PendingPtr& batch, std::size_t slot, store::EvaluationRecord record);
  void evaluated(const PendingPtr& batch, std::size_t slot, store::EvaluationRecord record);
  void finish_slot(const PendingPtr& batch);
  void end(std::exception_ptr error);
  /// Runs the rest of a callback; what it throws ends the trajectory.
  template <class Rest>
  void guarded(Rest rest) {
    const std::weak_ptr<bool> alive = alive_;
    try {
      rest();
    } catch (...) {
      if (!alive.expired()) end(std::current_exception());
    }
  }

  Services& services_;
  store::TrajectoryRecord record_;
  std::shared_ptr<const Task> task_;
  Brief brief_;
  std::string where_;
  RecordedSteps recorded_;
  BudgetMeter budget_;
  int next_step_ = 0;
  int waiting_for_models_ = 0, waiting_for_verdicts_ = 0;
  Ended ended_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // callbacks that come late see it
  Routine<> routine_;
};

}  // namespace ridgeline::campaign
