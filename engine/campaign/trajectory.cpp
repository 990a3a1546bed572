#include "engine/campaign/trajectory.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/campaign/call_cost.hpp"
#include "engine/campaign/requests.hpp"
#include "engine/campaign/trajectory_parts.hpp"

namespace ridgeline::campaign {

Trajectory::Trajectory(Services& services, Coordinator& coordinator, JudgeHealth& judge,
                       store::TrajectoryRecord record, std::shared_ptr<const Task> task,
                       const strategies::StrategyFunction& strategy, RecordedTrajectory recorded)
    : services_(services),
      coordinator_(coordinator),
      judge_(judge),
      record_(std::move(record)),
      task_(std::move(task)),
      brief_{*task_, record_.language, record_.seed},
      where_(fmt::format("{}/{}/{}", record_.task_name, record_.strategy, record_.seed)),
      recorded_(std::move(recorded.journal)),
      schedule_(std::move(recorded.events), where_),
      budget_(services.config.per_trajectory),
      routine_(strategy(*this, brief_)) {
  budget_.restore({0, 0, recorded.failed.tokens, recorded.failed.usd});
}

Trajectory::~Trajectory() {
  // The coroutine's groups cancel what they hold when its frame goes. That is no decision of the strategy, so
  // it must not be journaled.
  destroying_ = true;
}

void Trajectory::start(Ended ended) {
  ended_ = std::move(ended);
  routine_.start([this](std::exception_ptr error) { end(error); });
}

void Trajectory::replay(Ended ended) {
  replay_only_ = true;
  start(std::move(ended));
}

void Trajectory::end(std::exception_ptr error) {
  if (!ended_) return;
  finished_ = true;
  if (error && !failure_) failure_ = error;
  // Calls are paid for and hold a part of the budget: they come to their end first, cancelled calls too.
  if (waiting_for_models_ + waiting_for_commits_ > 0) return;
  const auto ended = std::exchange(ended_, nullptr);
  ended(failure_);
}

void Trajectory::begin(Request request) {
  if (failure_) std::rethrow_exception(failure_);
  try {
    const auto effect = std::make_shared<PendingEffect>();
    effect->request = std::move(request);
    effects_.emplace(effect->request.address, effect);
    schedule_.begin(effect->request.address);
    draft(*effect);
    load_recorded(effect);
  } catch (...) {
    // The frame unwinds now, and its groups would journal cancellations that the strategy never decided.
    failure_ = std::current_exception();
    throw;
  }
}

// Takes the result that an earlier run recorded. A recorded answer whose verdict is missing stays answered:
// its evaluation alone is made anew.
void Trajectory::load_recorded(const EffectPtr& effect) {
  using enum PendingEffect::Stage;
  const auto [step, slot] = effect->request.address;
  auto ask = recorded_.take_ask(step, slot, effect->record.request_hash, where_);
  if (!ask) return;
  // Without a status no model was called (the budget refused, or the request was cancelled first): no
  // spending.
  if (!ask->record.llm_status.empty()) budget_.restore(spending_of(ask->record));
  if (ask->record.status == AnswerStatus::cancelled) {
    effect->stage = ended;
    return;  // the strategy will cancel it again, as the journal's event says
  }
  effect->attempt.answer = answer_of(*ask);
  effect->answer_recorded = true;
  if (!wants_verdict(*effect)) return finish(effect, ask->record.ended_at);

  draft_evaluation(*effect);
  auto known = recorded_.take_evaluation(step, slot, effect->evaluation.request_hash, where_);
  if (!known) return;
  if (known->status == EvaluationStatus::cancelled) {
    effect->stage = ended;
    return;
  }
  if (known->status == EvaluationStatus::evaluated) {
    budget_.restore({0, 1, 0, 0});
    effect->attempt.evaluated = std::make_shared<ScoredCandidate>(
        ScoredCandidate{effect->candidate(), std::move(known->verdict), known->round});
  }
  finish(effect, known->ended_at);
}

void Trajectory::wait(std::vector<Address> among, Until until, Done done) {
  if (failure_) std::rethrow_exception(failure_);
  try {
    done_ = std::move(done);
    schedule_.wait(std::move(among), until);
    perform_actions();
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    throw;
  }
}

void Trajectory::cancel(const std::vector<Address>& addresses, const std::string& reason) noexcept {
  if (destroying_ || failure_) return;
  try {
    for (const auto address : addresses) schedule_.cancel(address, reason);
    perform_actions();
    // Abandon has taken those under way. Those that had ended are dropped here: the strategy never sees them.
    for (const auto address : addresses) effects_.erase(address);
  } catch (...) {
    failure_ = std::current_exception();  // thrown when the strategy next begins or waits
  }
}

void Trajectory::perform_actions() {
  if (failure_) return;
  for (const auto& action : schedule_.take_actions())
    std::visit([this](const auto& typed) { perform(typed); }, action);
}

void Trajectory::perform(const EffectSchedule::Start& start) {
  if (replay_only_) return;
  const auto effect = effects_.at(start.address);
  effect->answer_recorded ? evaluate(effect) : start_call(effect);
}

void Trajectory::perform(const EffectSchedule::Append& append) {
  if (replay_only_) return;
  auto record = append.event;
  record.trajectory = record_.id;
  record.at = services_.now();
  services_.writer.record(std::move(record), committed([] {}));
}

void Trajectory::perform(const EffectSchedule::Choose& choose) {
  if (replay_only_) return;
  auto record = choose.event;
  record.trajectory = record_.id;
  record.at = services_.now();
  services_.writer.record(std::move(record), committed([this] {
                            schedule_.on_choice_committed();
                            perform_actions();
                          }));
}

void Trajectory::perform(const EffectSchedule::Abandon& abandon) {
  using enum PendingEffect::Stage;
  const auto node = effects_.extract(abandon.address);
  if (node.empty() || replay_only_) return;
  const auto& effect = node.mapped();
  effect->cancelled = true;
  effect->cancel_reason = abandon.reason;
  switch (effect->stage) {
    case unstarted:
    case waits_for_budget:
      return effect->answer_recorded ? commit_cancelled_evaluation(effect) : commit_cancelled_request(effect);
    case reserving:
      release_reservation(effect);
      return commit_cancelled_request(effect);
    case asking:  // the client calls back, and the callback records what the call cost
      return services_.client(effect->record.model).cancel(effect->request_sent.address);
    case judging:
      drop_evaluation(effect);
      return commit_cancelled_evaluation(effect);
    case committing:  // the result is paid for or judged: it stays on record as it is
    case ended:       // recorded by an earlier run
      return;
  }
}

void Trajectory::perform(const EffectSchedule::Resume& resume) {
  std::vector<End> ends;
  for (const auto address : resume.ends) {
    const auto node = effects_.extract(address);
    ends.push_back({address, std::move(node.mapped()->attempt)});
  }
  const auto done = std::exchange(done_, nullptr);
  done(std::move(ends));  // may run the strategy to its end: nothing of this object is touched after
}

// Called when the result is committed, never before: the strategy must see only what a kill cannot undo.
void Trajectory::finish(const EffectPtr& effect, store::Milliseconds at) {
  effect->stage = PendingEffect::Stage::ended;
  if (effect->cancelled) return;
  schedule_.on_end(effect->request.address, at);
  perform_actions();
}

}  // namespace ridgeline::campaign
