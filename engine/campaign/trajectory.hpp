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
#include "engine/campaign/coordinator.hpp"
#include "engine/campaign/identity.hpp"
#include "engine/campaign/judge_health.hpp"
#include "engine/campaign/progress.hpp"
#include "engine/campaign/recorded_steps.hpp"
#include "engine/core/effects.hpp"
#include "engine/core/error.hpp"
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
  const Conditions& conditions;
  store::Writer& writer;
  BudgetMeter& total;
  Progress& progress;
  std::function<store::Milliseconds()> now;
  std::function<double()> wall_seconds;  ///< of all runs of the campaign together
  /// Calls the function on the campaign's thread after so many seconds, never from inside.
  std::function<void(double seconds, std::function<void()>)> after;
  const prompts::KnowledgeIndex* knowledge = nullptr;  ///< the campaign's corpus; null if it names none
  BaselineKeeper* baselines = nullptr;                 ///< null: what verdicts say of baselines is not kept
};

/// A task that nobody's kernel can be judged on: its trajectory fails, the others go on.
class TaskCannotBeJudged : public Error {
 public:
  explicit TaskCannotBeJudged(const std::string& why) : Error(why) {}
};

class Trajectory final : private Effects {
 public:
  using Ended = std::function<void(std::exception_ptr)>;

  /// `journal` is what earlier runs recorded, in any order; `failed` what their failed attempts came to.
  Trajectory(Services& services, Coordinator& coordinator, JudgeHealth& judge, store::TrajectoryRecord record,
             std::shared_ptr<const Task> task, const strategies::StrategyFunction& strategy,
             std::vector<store::JournalEntry> journal, const store::Expense& failed = {});
  ~Trajectory() override;

  /// `ended` is called once, with what ended it early or null. It must not destroy this object at once: the
  /// coroutine is still on the stack.
  void start(Ended ended);

  const store::TrajectoryRecord& record() const { return record_; }
  const std::string& where() const { return where_; }
  /// Requests to models that have not come back.
  int waiting_for_models() const { return waiting_for_models_; }
  /// Candidates whose verdict has not come yet, or is to be asked for again.
  int waiting_for_verdicts() const { return waiting_for_verdicts_; }
  /// Results that are not committed yet.
  int waiting_for_commits() const { return waiting_for_commits_; }
  /// The first step of which the journal holds something that was not asked for again, as far as it has
  /// walked.
  std::optional<int> first_unmatched() const { return recorded_.first_left(); }

 private:
  struct Pending;  // a batch under way
  using PendingPtr = std::shared_ptr<Pending>;
  struct Call;  // one slot's way to an answer
  using CallPtr = std::shared_ptr<Call>;
  struct Judging;  // one slot's way to a verdict
  using JudgingPtr = std::shared_ptr<Judging>;

  void perform(Batch batch, Done done) override;

  // trajectory_calls.cpp
  void ask(const PendingPtr& batch, std::size_t slot);
  void render(Call& call) const;
  void start_call(const CallPtr& call);
  void send(const CallPtr& call);
  bool on_failed_attempt(const CallPtr& call, const llm::FailedAttempt& attempt);
  void on_result(const CallPtr& call, llm::LlmResult result);
  bool ask_for_less(const CallPtr& call, const llm::LlmResult& result);
  void give_back(const CallPtr& call);
  void commit_answer(const CallPtr& call, Answer answer);

  // trajectory_evaluations.cpp
  void evaluate(const PendingPtr& batch, std::size_t slot);
  void start_evaluation(const JudgingPtr& judging);
  void on_verdict(const JudgingPtr& judging, Verdict verdict);
  void drop_evaluation();
  void keep_verdict(const JudgingPtr& judging, Verdict verdict);
  void commit_verdict(const JudgingPtr& judging);

  void answered(const PendingPtr& batch, std::size_t slot, Answer answer);
  void evaluated(const PendingPtr& batch, std::size_t slot, store::EvaluationRecord record);
  void finish_slot(const PendingPtr& batch);
  void end(std::exception_ptr error);
  /// Wraps a callback that may come after this object has gone: `run` is then not called. What it throws ends
  /// the trajectory. The campaign is told that something has settled.
  template <class Run>
  auto guarded(Run run) {
    return [this, alive = std::weak_ptr<bool>(alive_), run = std::move(run)](auto&&... values) mutable {
      if (alive.expired()) return;
      auto& coordinator = coordinator_;
      try {
        run(std::forward<decltype(values)>(values)...);
      } catch (...) {
        if (!alive.expired()) end(std::current_exception());
      }
      if (!alive.expired() && failure_) end(failure_);
      coordinator.settled();
    };
  }
  /// A store::Done: `run` once its record is committed.
  template <class Run>
  store::Done committed(Run run) {
    ++waiting_for_commits_;
    return guarded([this, run = std::move(run)](std::exception_ptr error) mutable {
      --waiting_for_commits_;
      if (error) std::rethrow_exception(error);
      run();
    });
  }

  Services& services_;
  Coordinator& coordinator_;
  JudgeHealth& judge_;
  store::TrajectoryRecord record_;
  std::shared_ptr<const Task> task_;
  Brief brief_;
  std::string where_;
  RecordedSteps recorded_;
  BudgetMeter budget_;
  int next_step_ = 0;
  int waiting_for_models_ = 0, waiting_for_verdicts_ = 0, waiting_for_commits_ = 0;
  Ended ended_;
  std::exception_ptr failure_;  ///< it ends with that once nothing of it is under way
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // callbacks that come late see it
  Routine<> routine_;
};

}  // namespace ridgeline::campaign
