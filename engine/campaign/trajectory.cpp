#include "engine/campaign/trajectory.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/campaign/trajectory_parts.hpp"

namespace ridgeline::campaign {

Trajectory::Trajectory(Services& services, Coordinator& coordinator, JudgeHealth& judge,
                       store::TrajectoryRecord record, std::shared_ptr<const Task> task,
                       const strategies::StrategyFunction& strategy, std::vector<store::JournalEntry> journal,
                       const store::Expense& failed)
    : services_(services),
      coordinator_(coordinator),
      judge_(judge),
      record_(std::move(record)),
      task_(std::move(task)),
      brief_{*task_, record_.language, record_.seed},
      where_(fmt::format("{}/{}/{}", record_.task_name, record_.strategy, record_.seed)),
      recorded_(std::move(journal)),
      budget_(services.config.per_trajectory),
      routine_(strategy(*this, brief_)) {
  budget_.restore({0, 0, failed.tokens, failed.usd});
}

Trajectory::~Trajectory() = default;

void Trajectory::start(Ended ended) {
  ended_ = std::move(ended);
  routine_.start([this](std::exception_ptr error) { end(error); });
}

void Trajectory::end(std::exception_ptr error) {
  if (!ended_) return;
  if (error && waiting_for_models_ + waiting_for_commits_ > 0) {
    // Its other slots' calls are paid for and hold a part of the budget: they come to their end first.
    if (!failure_) failure_ = error;
    return;
  }
  const auto ended = std::exchange(ended_, nullptr);
  ended(error);
}

void Trajectory::perform(Batch batch, Done done) {
  auto pending = std::make_shared<Pending>();
  pending->step = next_step_++;
  pending->open = batch.asks.size();
  pending->results.resize(batch.asks.size());
  pending->batch = std::move(batch);
  pending->done = std::move(done);
  if (pending->open == 0) return pending->done({});
  const auto count =
      pending->open;  // the last slot may finish the batch, and this trajectory, inside the loop
  for (std::size_t slot = 0; slot < count; ++slot) ask(pending, slot);
}

void Trajectory::answered(const PendingPtr& pending, std::size_t slot, Answer answer) {
  auto& attempt = pending->results[slot];
  attempt.answer = std::move(answer);
  if (pending->batch.kind == Kind::ask_and_evaluate && attempt.answer.candidate)
    evaluate(pending, slot);
  else
    finish_slot(pending);
}

void Trajectory::evaluated(const PendingPtr& pending, std::size_t slot, store::EvaluationRecord record) {
  auto& attempt = pending->results[slot];
  if (record.status == EvaluationStatus::evaluated) {
    attempt.evaluated = std::make_shared<Evaluated>(
        Evaluated{*attempt.answer.candidate, std::move(record.verdict), record.round});
  }
  finish_slot(pending);
}

void Trajectory::finish_slot(const PendingPtr& pending) {
  if (--pending->open > 0) return;
  const auto done = std::move(pending->done);
  done(std::move(
      pending->results));  // may run the strategy to its end: nothing of this object is touched after
}

}  // namespace ridgeline::campaign
