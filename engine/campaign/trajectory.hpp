// Runs one trajectory: a strategy's coroutine, whose effects it performs.
//
// Every effect goes through the journal. The result of a recorded effect returns at once. Any other effect is
// admitted by the budgets, performed, committed to the store, and only then returned. Which of several
// requests ended first, and which the strategy cancelled, is journaled likewise (effect_schedule.hpp). So a
// killed engine loses nothing that a strategy has seen, and running the coroutine again over its journal
// makes the same requests.
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
#include "engine/campaign/strategy_templates.hpp"
#include "engine/core/effects.hpp"
#include "engine/core/error.hpp"
#include "engine/core/routine.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "engine/store/records.hpp"
#include "engine/store/writer.hpp"
#include "llm_clients/client.hpp"
#include "prompts/renderer.hpp"

namespace ridgeline::campaign {

/// Holds what all trajectories of a campaign share. Borrows everything, outlives the trajectories, and is
/// used on the campaign's one thread only.
struct Services {
  const CampaignConfig& config;
  const StrategyTemplates& templates;
  const prompts::Machine& machine;
  std::function<llm::LlmClient&(const std::string& model)> client;
  evaluation::Evaluator& evaluator;
  const Conditions& conditions;
  store::Writer& writer;
  BudgetMeter& total;
  Progress& progress;
  std::function<store::Milliseconds()> now;
  std::function<double()> wall_seconds;  ///< returns the time of all runs of the campaign together
  /// Calls the function on the campaign's thread after `seconds`, never from inside.
  std::function<void(double seconds, std::function<void()>)> after;
  const prompts::KnowledgeIndex* knowledge = nullptr;  ///< the campaign's corpus; null if it names none
  BaselineKeeper* baselines = nullptr;                 ///< records baselines from verdicts; null records none
};

/// Thrown if no kernel can be judged on the task. The trajectory fails, the others go on.
class TaskCannotBeJudged : public Error {
 public:
  explicit TaskCannotBeJudged(const std::string& why) : Error(why) {}
};

/// Holds what earlier runs recorded of a trajectory.
struct RecordedTrajectory {
  std::vector<store::JournalEntry> journal = {};  ///< in any order
  std::vector<store::EffectEvent> events = {};    ///< by ordinal
  store::Expense failed = {};                     ///< cost of failed attempts
};

class Trajectory final : private Effects {
 public:
  /// Receives null when the strategy has ended, else the error that ended it early.
  using Ended = std::function<void(std::exception_ptr)>;

  Trajectory(Services& services, Coordinator& coordinator, JudgeHealth& judge, store::TrajectoryRecord record,
             std::shared_ptr<const Task> task, const strategies::StrategyFunction& strategy,
             RecordedTrajectory recorded);
  /// Journals no cancellation of what is under way: a resume goes on with it.
  ~Trajectory() override;

  /// Starts the strategy. Calls `ended` once the strategy has ended (or failed), no model call is under way
  /// and all results are committed. Never calls it if a pause of the campaign leaves a request of the
  /// strategy unstarted. `ended` must not destroy this object at once: the coroutine is still on the stack.
  void start(Ended ended);
  /// Runs the strategy over the journal alone: sends, evaluates and writes nothing. Stops without a call of
  /// `ended` where the journal ends before the strategy does.
  void replay(Ended ended);

  const store::TrajectoryRecord& record() const { return record_; }
  const std::string& where() const { return where_; }  ///< "task/strategy/seed"
  /// Returns how many calls to models have not come back.
  int waiting_for_models() const { return waiting_for_models_; }
  /// Returns how many candidates have no verdict yet, those that will be judged again included.
  int waiting_for_verdicts() const { return waiting_for_verdicts_; }
  /// Returns how many results are not committed yet.
  int waiting_for_commits() const { return waiting_for_commits_; }
  /// Returns the first step with a recorded result that the strategy has not requested so far; nullopt if it
  /// has requested all.
  std::optional<int> first_unmatched_step() const { return recorded_.first_unused_step(); }
  /// Returns how many recorded events it followed while at most `steps` steps were begun.
  int followed_events(int steps) const { return schedule_.followed_within(steps); }

 private:
  struct PendingEffect;  // a request that was begun, on its way to its end
  using EffectPtr = std::shared_ptr<PendingEffect>;

  void begin(Request request) override;
  void wait(std::vector<Address> among, Until until, Done done) override;
  void cancel(const std::vector<Address>& addresses, const std::string& reason) noexcept override;

  void load_recorded(const EffectPtr& effect);
  /// Performs what the schedule wants. May run the strategy, even to its end.
  void perform_actions();
  void perform(const EffectSchedule::Start& start);
  void perform(const EffectSchedule::Abandon& abandon);
  void perform(const EffectSchedule::Append& append);
  void perform(const EffectSchedule::Choose& choose);
  void perform(const EffectSchedule::Resume& resume);

  // trajectory_calls.cpp
  void draft(PendingEffect& effect) const;
  void render(PendingEffect& effect) const;
  void start_call(const EffectPtr& effect);
  void send(const EffectPtr& effect);
  bool on_failed_attempt(const EffectPtr& effect, const llm::FailedAttempt& attempt);
  void on_result(const EffectPtr& effect, llm::LlmResult result);
  bool retry_with_shorter_prompt(const EffectPtr& effect, const llm::LlmResult& result);
  void release_reservation(const EffectPtr& effect);
  void commit_answer(const EffectPtr& effect, Answer answer);
  void on_answer_committed(const EffectPtr& effect, Answer answer);
  void end_cancelled_call(const EffectPtr& effect, llm::LlmResult result);
  void commit_cancelled_request(const EffectPtr& effect);

  // trajectory_evaluations.cpp
  bool wants_verdict(const PendingEffect& effect) const;
  void draft_evaluation(PendingEffect& effect) const;
  void evaluate(const EffectPtr& effect);
  void start_evaluation(const EffectPtr& effect);
  void on_verdict(const EffectPtr& effect, Verdict verdict);
  void drop_evaluation(const EffectPtr& effect);
  void keep_verdict(const EffectPtr& effect, Verdict verdict);
  void commit_verdict(const EffectPtr& effect);
  void commit_cancelled_evaluation(const EffectPtr& effect);

  void finish(const EffectPtr& effect, store::Milliseconds at);
  void end(std::exception_ptr error);
  /// Wraps a callback that may come after this object has gone; `run` is not called then. An exception of
  /// `run` ends the trajectory. Reports afterwards to the campaign that something has settled.
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
      if (!alive.expired() && finished_) end(failure_);
      coordinator.settled();
    };
  }
  /// Makes a store::Done that calls `run` once the record is committed.
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
  std::map<Address, EffectPtr> effects_;  ///< begun, and neither handed to the strategy nor cancelled
  Done done_;                             ///< resumes the strategy, which waits
  BudgetMeter budget_;
  int waiting_for_models_ = 0, waiting_for_verdicts_ = 0, waiting_for_commits_ = 0;
  Ended ended_;
  bool finished_ = false;       ///< the strategy has ended; calls under way have not, perhaps
  std::exception_ptr failure_;  ///< set once: the strategy goes no further
  bool replay_only_ = false;    ///< see `replay`
  bool destroying_ = false;     ///< what the coroutine's frame drops now is not cancelled
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  ///< expires with this, for late callbacks
  Routine<> routine_;
};

}  // namespace ridgeline::campaign
