// A trajectory's calls to models. A slot whose call cannot be made now (the campaign pauses) stays open:
// nothing is recorded, and a resume makes the call.
#include <fmt/format.h>

#include <utility>

#include "engine/campaign/requests.hpp"
#include "engine/campaign/shortening.hpp"
#include "engine/campaign/trajectory_parts.hpp"
#include "llm_clients/call_result.hpp"
#include "prompts/answer_reader.hpp"

namespace ridgeline::campaign {

void Trajectory::ask(const PendingPtr& pending, std::size_t slot) {
  auto call = std::make_shared<Call>();
  call->batch = pending;
  call->slot = slot;
  const auto& ask = call->ask();
  call->record = draft_ask(record_.id, pending->step, static_cast<int>(slot), pending->batch.round, ask);
  call->record.model = services_.config.model_for_role(ask.model).name;
  render(*call);
  // The hash covers the whole prompt, also where a shorter one was sent: a resume can compute that one.
  call->record.request_hash = request_hash_of(call->record);

  const auto step = pending->step;
  if (auto known = recorded_.take_ask(step, static_cast<int>(slot), call->record.request_hash, where_)) {
    if (!known->record.llm_status.empty()) budget_.restore(spending_of(known->record));
    return answered(pending, slot, answer_of(*known));
  }
  start_call(call);
}

void Trajectory::render(Call& call) const {
  call.messages = messages_of(prompts::render(services_.templates, shortened(call.ask(), call.level), brief_,
                                              services_.machine, services_.knowledge));
  call.record.prompt = prompt_json(call.messages);
}

void Trajectory::start_call(const CallPtr& call) {
  if (coordinator_.pausing() || failure_) return;
  auto& record = call->record;
  auto& request = call->request;
  request = {};
  request.model = record.model;
  request.messages = call->messages;
  if (record.temperature) request.temperature = *record.temperature;
  request.address = fmt::format("{}/{}/{}", where_, record.step, record.slot);
  request.request_hash = record.request_hash;
  request.seed = slot_seed(record_.seed, record.step, record.slot);
  call->worst = reservation_of(services_.config.model(record.model), request);
  record.started_at = services_.now();

  const auto admission = admit_call(budget_, services_.total, call->worst, services_.wall_seconds());
  if (std::holds_alternative<WaitForSettlement>(admission))
    return coordinator_.when_budget_settles(guarded([this, call] { start_call(call); }));
  if (const auto* refused = std::get_if<RefusedByCampaign>(&admission))
    return coordinator_.pause({refused->reason, refused->key});
  if (const auto* refused = std::get_if<RefusedByTrajectory>(&admission)) {
    record.ended_at = record.started_at;
    return commit_answer(call, Answer{AnswerStatus::budget_exhausted, "", refused->reason, std::nullopt});
  }
  if (!budget_.caps_cost() && !services_.total.caps_cost()) return send(call);
  // On record before it is sent: after a kill nobody could say what was paid.
  record.reserved = true;
  services_.writer.start_call({record.trajectory,
                               record.step,
                               record.slot,
                               record.model,
                               {call->worst.tokens, call->worst.usd},
                               record.started_at},
                              committed([this, call] { send(call); }));
}

void Trajectory::send(const CallPtr& call) {
  if (coordinator_.pausing() || failure_) return give_back(call);
  auto request = std::move(call->request);
  request.on_failed_attempt = [this, alive = std::weak_ptr<bool>(alive_),
                               call](const llm::FailedAttempt& attempt) {
    return !alive.expired() && on_failed_attempt(call, attempt);
  };
  ++waiting_for_models_;
  services_.client(call->record.model)
      .complete(std::move(request), guarded([this, call](llm::LlmResult result) {
                  --waiting_for_models_;
                  on_result(call, std::move(result));
                }));
}

bool Trajectory::on_failed_attempt(const CallPtr& call, const llm::FailedAttempt& attempt) {
  auto record = failed_attempt_record(call->record, attempt, services_.now());
  services_.progress.attempt_failed(where_, record);
  services_.writer.record(std::move(record), {});
  const auto cost = cost_of(attempt.usage, attempt.usd, attempt.unsettled);
  const bool own = budget_.charge_attempt(cost), shared = services_.total.charge_attempt(cost);
  if (!shared) {
    const auto& budget = services_.total.budget();
    coordinator_.pause({"campaign: failed attempts have used up the budget", budget.usd ? "usd" : "tokens"});
  } else if (!own) {
    call->refused = "trajectory: failed attempts have used up the budget (" + attempt.detail + ")";
  }
  call->no_more_attempts = !own || !shared || coordinator_.pausing();
  return !call->no_more_attempts;
}

void Trajectory::on_result(const CallPtr& call, llm::LlmResult result) {
  if (result.status == llm::LlmStatus::cancelled) return give_back(call);  // the engine is stopping
  if (!result.ok() && call->no_more_attempts) {
    // Each attempt's cost was charged when it failed.
    give_back(call);
    if (call->refused.empty()) return;  // the campaign pauses: a resume asks again
    call->record.ended_at = services_.now();
    return commit_answer(
        call, Answer{AnswerStatus::budget_exhausted, "", std::exchange(call->refused, ""), std::nullopt});
  }
  if (result.fault == llm::Fault::endpoint || result.fault == llm::Fault::account) {
    give_back(call);
    return coordinator_.pause({pause_reason(result, call->record.model), ""});
  }
  const auto cost = cost_of(result.usage, result.usd, result.unsettled);
  budget_.settle_call(call->worst, cost);
  services_.total.settle_call(call->worst, cost);
  if (ask_for_less(call, result)) return;
  auto answer = result.ok() ? prompts::read_answer(result.text, call->ask(), brief_) : failed_answer(result);
  say_if_cut_off(answer, result);
  keep_exchange(call->record, std::move(result));
  call->record.ended_at = services_.now();
  commit_answer(call, std::move(answer));
}

/// Where the prompt was too long: a shorter one is sent, as often as it can be cut.
bool Trajectory::ask_for_less(const CallPtr& call, const llm::LlmResult& result) {
  if (result.status != llm::LlmStatus::context_exceeded) return false;
  const auto before = call->record.prompt.size();
  while (call->level < kShortestLevel) {
    ++call->level;
    render(*call);
    if (call->record.prompt.size() >= before) continue;  // nothing of this level was in it
    // Its cost is settled already; the record says what the result would have.
    services_.writer.record(failed_attempt_record(call->record, llm::failed_attempt(result), services_.now()),
                            {});
    start_call(call);
    return true;
  }
  return false;
}

void Trajectory::give_back(const CallPtr& call) {
  budget_.drop_call(call->worst);
  services_.total.drop_call(call->worst);
  if (std::exchange(call->record.reserved, false))
    services_.writer.end_call(call->record.trajectory, call->record.step, call->record.slot, {});
}

void Trajectory::commit_answer(const CallPtr& call, Answer answer) {
  auto& record = call->record;
  record.status = answer.status;
  record.detail = answer.detail;
  if (answer.candidate) record.candidate = answer.candidate->hash;
  services_.progress.answered(where_, call->batch->batch.round, record);
  auto candidate = answer.candidate;
  auto go_on =
      committed([this, pending = call->batch, slot = call->slot, answer = std::move(answer)]() mutable {
        answered(pending, slot, std::move(answer));
      });
  services_.writer.record(std::move(record), std::move(candidate), std::move(go_on));
}

}  // namespace ridgeline::campaign
