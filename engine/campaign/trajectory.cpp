#include "engine/campaign/trajectory.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/campaign/requests.hpp"
#include "engine/campaign/trajectory_parts.hpp"

namespace ridgeline::campaign {

Trajectory::Trajectory(Services& services, Coordinator& coordinator, JudgeHealth& judge,
                       store::TrajectoryRecord record, std::shared_ptr<const Task> task,
                       const strategies::StrategyFunction& strategy, RecordedWalk recorded)
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
  // The coroutine's groups cancel what they hold when its frame goes. That is no decision of the strategy.
  closing_ = true;
}

void Trajectory::start(Ended ended) {
  ended_ = std::move(ended);
  routine_.start([this](std::exception_ptr error) { end(error); });
}

void Trajectory::replay(Ended ended) {
  replays_ = true;
  start(std::move(ended));
}

void Trajectory::end(std::exception_ptr error) {
  if (!ended_) return;
  over_ = true;
  if (error && !failure_) failure_ = error;
  // Calls are paid for and hold a part of the budget: they come to their end first, also those given up.
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
    recall(effect);
  } catch (...) {
    // The frame unwinds now, and its groups would journal that they give up what they hold.
    failure_ = std::current_exception();
    throw;
  }
}

/// Takes what earlier runs recorded of it.
void Trajectory::recall(const EffectPtr& effect) {
  using enum PendingEffect::Stage;
  const auto [step, slot] = effect->request.address;
  auto ask = recorded_.take_ask(step, slot, effect->record.request_hash, where_);
  if (!ask) return;
  if (!ask->record.llm_status.empty()) budget_.restore(spending_of(ask->record));
  if (ask->record.status == AnswerStatus::cancelled) {
    effect->stage = ended;
    return;  // the strategy gives it up, again
  }
  effect->attempt.answer = answer_of(*ask);
  effect->answered = true;
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
    effect->attempt.evaluated =
        std::make_shared<ScoredCandidate>(ScoredCandidate{effect->candidate(), std::move(known->verdict), known->round});
  }
  finish(effect, known->ended_at);
}

void Trajectory::wait(std::vector<Address> among, Until until, Done done) {
  if (failure_) std::rethrow_exception(failure_);
  try {
    done_ = std::move(done);
    schedule_.wait(std::move(among), until);
    pump();
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    throw;
  }
}

void Trajectory::cancel(const std::vector<Address>& given_up, const std::string& reason) noexcept {
  if (closing_ || failure_) return;
  try {
    for (const auto address : given_up) schedule_.cancel(address, reason);
    pump();
    for (const auto address : given_up) effects_.erase(address);  // what had ended is not seen either
  } catch (...) {
    failure_ = std::current_exception();  // the strategy hears of it when it next begins or waits
  }
}

void Trajectory::pump() {
  if (failure_) return;
  for (const auto& action : schedule_.take_actions())
    std::visit([this](const auto& one) { act(one); }, action);
}

void Trajectory::act(const EffectSchedule::Start& start) {
  if (replays_) return;
  const auto effect = effects_.at(start.address);
  effect->answered ? evaluate(effect) : start_call(effect);
}

void Trajectory::act(const EffectSchedule::Append& append) {
  if (replays_) return;
  auto record = append.event;
  record.trajectory = record_.id;
  record.at = services_.now();
  services_.writer.record(std::move(record), committed([] {}));
}

void Trajectory::act(const EffectSchedule::Choose& choose) {
  if (replays_) return;
  auto record = choose.event;
  record.trajectory = record_.id;
  record.at = services_.now();
  services_.writer.record(std::move(record), committed([this] {
                            schedule_.chosen();
                            pump();
                          }));
}

void Trajectory::act(const EffectSchedule::Abandon& abandon) {
  using enum PendingEffect::Stage;
  const auto node = effects_.extract(abandon.address);
  if (node.empty() || replays_) return;
  const auto& effect = node.mapped();
  effect->given_up = true;
  effect->reason = abandon.reason;
  switch (effect->stage) {
    case unstarted:
    case waits_for_budget:
      return effect->answered ? commit_given_up_evaluation(effect) : commit_given_up_ask(effect);
    case reserving:
      give_back(effect);
      return commit_given_up_ask(effect);
    case asking:  // its callback records what it came to
      return services_.client(effect->record.model).cancel(effect->sent.address);
    case judging:
      drop_evaluation(effect);
      return commit_given_up_evaluation(effect);
    case committing:  // paid for or judged: it is recorded as it is
    case ended:       // by an earlier run
      return;
  }
}

void Trajectory::act(const EffectSchedule::Resume& resume) {
  std::vector<End> ends;
  for (const auto address : resume.ends) {
    const auto node = effects_.extract(address);
    ends.push_back({address, std::move(node.mapped()->attempt)});
  }
  const auto done = std::exchange(done_, nullptr);
  done(std::move(ends));  // may run the strategy to its end: nothing of this object is touched after
}

/// Its result is committed.
void Trajectory::finish(const EffectPtr& effect, store::Milliseconds at) {
  effect->stage = PendingEffect::Stage::ended;
  if (effect->given_up) return;
  schedule_.ended(effect->request.address, at);
  pump();
}

}  // namespace ridgeline::campaign
