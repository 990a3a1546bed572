// One trajectory: a strategy's coroutine and the performance of its effects.
//
// Every effect goes through the journal. Recorded: its result returns at once. Not recorded: it is admitted
// by the budgets, performed, committed to the store, and only then returned. Which of several ended first,
// and what the strategy gave up, is journaled likewise (effect_schedule.hpp). So a killed engine loses
// nothing that a strategy has seen, and running the coroutine again over its journal gives the same walk.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/baseline_keeper.hpp"
#include "engine/campaign/budget.hpp"
#include "engine/campaign/config.hpp"
#include "engine/campaign/coordinator.hpp"
#include "engine/campaign/effect_schedule.hpp"
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

/// What earlier runs left of a trajectory.
struct RecordedWalk {
  std::vector<store::JournalEntry> journal = {};  ///< in any order
  std::vector<store::EffectEvent> events = {};    ///< by ordinal
  store::Expense failed = {};                     ///< what failed attempts came to
};

class Trajectory final : private Effects {
 public:
  using Ended = std::function<void(std::exception_ptr)>;

  Trajectory(Services& services, Coordinator& coordinator, JudgeHealth& judge, store::TrajectoryRecord record,
             std::shared_ptr<const Task> task, const strategies::StrategyFunction& strategy,
             RecordedWalk recorded);
  /// What is under way stays as it is in the store, and goes on with a resume.
  ~Trajectory() override;

  /// `ended` is called once, with what ended it early or null. It must not destroy this object at once: the
  /// coroutine is still on the stack.
  void start(Ended ended);
  /// As `start` over the journal alone: nothing is asked, evaluated or written. It stands still, without a
  /// call of `ended`, where the journal ends before the strategy does.
  void replay(Ended ended);

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
  /// Returns how many recorded events it followed while at most `steps` steps were begun.
  int followed_events(int steps) const { return schedule_.followed_within(steps); }

 private:
  struct PendingEffect;  // a request that was begun, on its way to its end
  using EffectPtr = std::shared_ptr<PendingEffect>;

  void begin(Request request) override;
  void wait(std::vector<Address> among, Until until, Done done) override;
  void cancel(const std::vector<Address>& given_up, const std::string& reason) noexcept override;

  void recall(const EffectPtr& effect);
  /// Does what the schedule wants. May run the strategy, to its end too.
  void pump();
  void act(const EffectSchedule::Start& start);
  void act(const EffectSchedule::Abandon& abandon);
  void act(const EffectSchedule::Append& append);
  void act(const EffectSchedule::Choose& choose);
  void act(const EffectSchedule::Resume& resume);

  // trajectory_calls.cpp
  void draft(PendingEffect& effect) const;
  void render(PendingEffect& effect) const;
  void start_call(const EffectPtr& effect);
  void send(const EffectPtr& effect);
  bool on_failed_attempt(const EffectPtr& effect, const llm::FailedAttempt& attempt);
  void on_result(const EffectPtr& effect, llm::LlmResult result);
  bool ask_for_less(const EffectPtr& effect, const llm::LlmResult& result);
  void give_back(const EffectPtr& effect);
  void commit_answer(const EffectPtr& effect, Answer answer);
  void answered(const EffectPtr& effect, Answer answer);
  void end_given_up_call(const EffectPtr& effect, llm::LlmResult result);
  void commit_given_up_ask(const EffectPtr& effect);

  // trajectory_evaluations.cpp
  bool wants_verdict(const PendingEffect& effect) const;
  void draft_evaluation(PendingEffect& effect) const;
  void evaluate(const EffectPtr& effect);
  void start_evaluation(const EffectPtr& effect);
  void on_verdict(const EffectPtr& effect, Verdict verdict);
  void drop_evaluation(const EffectPtr& effect);
  void keep_verdict(const EffectPtr& effect, Verdict verdict);
  void commit_verdict(const EffectPtr& effect);
  void commit_given_up_evaluation(const EffectPtr& effect);

  void finish(const EffectPtr& effect, store::Milliseconds at);
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
      if (!alive.expired() && over_) end(failure_);
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
  EffectSchedule schedule_;
  std::map<Address, EffectPtr> effects_;  ///< that the strategy has neither seen nor given up
  Done done_;                             ///< of the strategy's wait
  BudgetMeter budget_;
  int waiting_for_models_ = 0, waiting_for_verdicts_ = 0, waiting_for_commits_ = 0;
  Ended ended_;
  bool over_ = false;           ///< it ends once nothing that costs money is under way
  std::exception_ptr failure_;  ///< with this; the strategy goes no further
  bool replays_ = false;        ///< see `replay`
  bool closing_ = false;        ///< being destroyed: what is dropped is not given up
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // callbacks that come late see it
  Routine<> routine_;
};

}  // namespace ridgeline::campaign
