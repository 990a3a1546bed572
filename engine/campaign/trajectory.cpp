#include "engine/campaign/trajectory.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/campaign/requests.hpp"
#include "prompts/answer_reader.hpp"

namespace ridgeline::campaign {

struct Trajectory::Pending {
  int step = 0;
  Batch batch;
  std::vector<Attempt> results;
  std::size_t open = 0;
  Done done;
};

Trajectory::Trajectory(Services& services, store::TrajectoryRecord record, std::shared_ptr<const Task> task,
                       const strategies::StrategyFunction& strategy, std::vector<store::JournalEntry> journal)
    : services_(services),
      record_(std::move(record)),
      task_(std::move(task)),
      brief_{*task_, record_.language, record_.seed},
      where_(fmt::format("{}/{}/{}", record_.task_name, record_.strategy, record_.seed)),
      recorded_(std::move(journal)),
      budget_(services.config.per_trajectory),
      routine_(strategy(*this, brief_)) {}

Trajectory::~Trajectory() = default;

void Trajectory::start(Ended ended) {
  ended_ = std::move(ended);
  routine_.start([this](std::exception_ptr error) { end(error); });
}

void Trajectory::end(std::exception_ptr error) {
  if (!ended_) return;
  const auto told = std::exchange(ended_, nullptr);
  told(error);
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

void Trajectory::ask(const PendingPtr& pending, std::size_t slot) {
  const auto& ask = pending->batch.asks[slot];
  auto record = draft_ask(record_.id, pending->step, static_cast<int>(slot), pending->batch.round, ask);
  record.model = services_.config.model_for_role(ask.model).name;
  auto messages =
      messages_of(prompts::render(services_.templates, ask, brief_, services_.machine, services_.knowledge));
  record.prompt = prompt_json(messages);
  record.request_hash = request_hash_of(record);

  if (auto known = recorded_.take_ask(pending->step, static_cast<int>(slot), record.request_hash, where_)) {
    if (!known->record.llm_status.empty())
      budget_.restore({1, 0, known->record.tokens.input + known->record.tokens.output, known->record.usd});
    return answered(pending, slot, answer_of(*known));
  }
  record.started_at = services_.now();
  if (auto refusal = admit_call(budget_, services_.total, services_.wall_seconds()); !refusal.empty()) {
    record.ended_at = record.started_at;
    return commit_answer(pending, slot, std::move(record),
                         Answer{AnswerStatus::budget_exhausted, "", std::move(refusal), std::nullopt});
  }
  llm::LlmRequest request;
  request.model = record.model;
  request.messages = std::move(messages);
  if (ask.temperature) request.temperature = *ask.temperature;
  request.address = fmt::format("{}/{}/{}", where_, pending->step, slot);
  request.request_hash = record.request_hash;
  ++waiting_for_models_;
  auto& client = services_.client(record.model);
  client.complete(std::move(request), [this, alive = std::weak_ptr<bool>(alive_), pending, slot,
                                       record = std::move(record)](llm::LlmResult result) mutable {
    if (alive.expired()) return;
    --waiting_for_models_;
    guarded([&] { on_answer(pending, slot, std::move(record), std::move(result)); });
  });
}

void Trajectory::on_answer(const PendingPtr& pending, std::size_t slot, store::AskRecord record,
                           llm::LlmResult result) {
  if (result.status == llm::LlmStatus::cancelled)
    return;  // the engine is stopping: nothing was seen, so nothing is kept
  refuse_hopeless(result, record.model);
  const auto tokens = result.usage.input_tokens + result.usage.output_tokens;
  budget_.spend(tokens, result.usd);
  services_.total.spend(tokens, result.usd);
  auto answer = result.ok() ? prompts::read_answer(result.text, pending->batch.asks[slot], brief_)
                            : failed_answer(result);
  keep_exchange(record, std::move(result));
  record.ended_at = services_.now();
  commit_answer(pending, slot, std::move(record), std::move(answer));
}

void Trajectory::commit_answer(const PendingPtr& pending, std::size_t slot, store::AskRecord record,
                               Answer answer) {
  record.status = answer.status;
  record.detail = answer.detail;
  if (answer.candidate) record.candidate = answer.candidate->hash;
  services_.progress.answered(where_, pending->batch.round, record);
  auto candidate = answer.candidate;
  services_.writer.record(std::move(record), std::move(candidate),
                          [this, alive = std::weak_ptr<bool>(alive_), pending, slot,
                           answer = std::move(answer)](std::exception_ptr error) mutable {
                            if (alive.expired()) return;
                            guarded([&] {
                              if (error) std::rethrow_exception(error);
                              answered(pending, slot, std::move(answer));
                            });
                          });
}

void Trajectory::answered(const PendingPtr& pending, std::size_t slot, Answer answer) {
  auto& attempt = pending->results[slot];
  attempt.answer = std::move(answer);
  if (pending->batch.kind == Kind::ask_and_evaluate && attempt.answer.candidate)
    evaluate(pending, slot);
  else
    finish_slot(pending);
}

void Trajectory::evaluate(const PendingPtr& pending, std::size_t slot) {
  const auto& candidate = *pending->results[slot].answer.candidate;
  store::EvaluationRecord record;
  record.trajectory = record_.id;
  record.step = pending->step;
  record.slot = static_cast<int>(slot);
  record.round = pending->batch.round;
  record.candidate = candidate.hash;
  record.request_hash = evaluation_hash(*task_, candidate, services_.evaluate_settings);

  if (auto known = recorded_.take_evaluation(record.step, record.slot, record.request_hash, where_)) {
    if (known->status == EvaluationStatus::evaluated) budget_.restore({0, 1, 0, 0});
    return evaluated(pending, slot, std::move(*known));
  }
  record.started_at = services_.now();
  if (!admit_evaluation(budget_, services_.total, services_.wall_seconds()).empty()) {
    record.status = EvaluationStatus::budget_exhausted;
    record.ended_at = record.started_at;
    return commit_verdict(pending, slot, std::move(record));
  }
  evaluation::EvaluateRequest request{task_, candidate, services_.evaluate_settings};
  ++waiting_for_verdicts_;
  services_.evaluator.evaluate(std::move(request), [this, alive = std::weak_ptr<bool>(alive_), pending, slot,
                                                    record = std::move(record)](Verdict verdict) mutable {
    if (alive.expired()) return;
    --waiting_for_verdicts_;
    guarded([&] {
      record.ended_at = services_.now();
      record.seconds = static_cast<double>(record.ended_at - record.started_at) * 1e-3;
      record.verdict = std::move(verdict);
      if (services_.baselines) services_.baselines->hear(record.verdict, record.ended_at);
      services_.progress.evaluated(where_, record.round, record.verdict);
      commit_verdict(pending, slot, std::move(record));
    });
  });
}

void Trajectory::commit_verdict(const PendingPtr& pending, std::size_t slot, store::EvaluationRecord record) {
  auto kept = record;
  services_.writer.record(std::move(kept), [this, alive = std::weak_ptr<bool>(alive_), pending, slot,
                                            record = std::move(record)](std::exception_ptr error) mutable {
    if (alive.expired()) return;
    guarded([&] {
      if (error) std::rethrow_exception(error);
      evaluated(pending, slot, std::move(record));
    });
  });
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
