// A trajectory's calls to models. A request whose call cannot be made now (the campaign pauses) stays
// unstarted: nothing is recorded, and a resume makes the call.
#include <fmt/format.h>

#include <utility>

#include "engine/campaign/call_cost.hpp"
#include "engine/campaign/requests.hpp"
#include "engine/campaign/shortening.hpp"
#include "engine/campaign/trajectory_parts.hpp"
#include "llm_clients/call_result.hpp"
#include "prompts/answer_reader.hpp"

namespace ridgeline::campaign {

void Trajectory::draft(PendingEffect& effect) const {
  const auto& [address, kind, round, ask] = effect.request;
  effect.record = draft_ask(record_.id, address.step, address.slot, round, ask);
  effect.record.model =
      services_.config.model_for_role(services_.config.strategy(record_.strategy), ask.model).name;
  render(effect);
  // The hash covers the whole prompt, also where a shorter one was sent: a resume can compute that one.
  effect.record.request_hash = request_hash_of(effect.record);
}

void Trajectory::render(PendingEffect& effect) const {
  effect.messages = messages_of(prompts::render(services_.templates.of(record_.strategy),
                                                shortened(effect.request.ask, effect.level), brief_,
                                                services_.machine, services_.knowledge));
  effect.record.prompt = prompt_json(effect.messages);
}

void Trajectory::start_call(const EffectPtr& effect) {
  using enum PendingEffect::Stage;
  if (effect->cancelled) return;  // while it waited for budget; the cancellation is on record
  effect->stage = unstarted;
  if (coordinator_.pausing() || failure_) return;
  auto& record = effect->record;
  auto& request = effect->request_sent;
  request = {};
  request.model = record.model;
  request.messages = effect->messages;
  if (record.temperature) request.temperature = *record.temperature;
  request.address = fmt::format("{}/{}/{}", where_, record.step, record.slot);
  request.request_hash = record.request_hash;
  request.seed = slot_seed(record_.seed, record.step, record.slot);
  effect->reserved_cost = reservation_of(services_.config.model(record.model), request);
  record.started_at = services_.now();

  const auto admission =
      admit_call(budget_, services_.total, effect->reserved_cost, services_.wall_seconds());
  if (std::holds_alternative<WaitForSettlement>(admission)) {
    effect->stage = waits_for_budget;
    return coordinator_.when_budget_settles(guarded([this, effect] { start_call(effect); }));
  }
  if (const auto* refused = std::get_if<RefusedByCampaign>(&admission))
    return coordinator_.pause({refused->reason, refused->key});
  if (const auto* refused = std::get_if<RefusedByTrajectory>(&admission)) {
    record.ended_at = record.started_at;
    return commit_answer(effect, Answer{AnswerStatus::budget_exhausted, "", refused->reason, std::nullopt});
  }
  if (!budget_.caps_cost() && !services_.total.caps_cost()) return send(effect);
  // On record before it is sent: after a kill the worst case counts, since nobody could say what was paid.
  effect->stage = reserving;
  record.reserved = true;
  services_.writer.start_call({record.trajectory,
                               record.step,
                               record.slot,
                               record.model,
                               {effect->reserved_cost.tokens, effect->reserved_cost.usd},
                               record.started_at},
                              committed([this, effect] { send(effect); }));
}

void Trajectory::send(const EffectPtr& effect) {
  if (effect->cancelled) return;  // while it was put on record
  if (coordinator_.pausing() || failure_) {
    effect->stage = PendingEffect::Stage::unstarted;
    return release_reservation(effect);
  }
  effect->stage = PendingEffect::Stage::asking;
  // The client owns the messages from here on; a retry with a shorter prompt renders them anew.
  auto request = std::move(effect->request_sent);
  effect->request_sent.address = request.address;  // cancels the call, should the strategy want that
  request.on_failed_attempt = [this, alive = std::weak_ptr<bool>(alive_),
                               effect](const llm::FailedAttempt& attempt) {
    return !alive.expired() && on_failed_attempt(effect, attempt);
  };
  ++waiting_for_models_;
  services_.client(effect->record.model)
      .complete(std::move(request), guarded([this, effect](llm::LlmResult result) {
                  --waiting_for_models_;
                  on_result(effect, std::move(result));
                }));
}

bool Trajectory::on_failed_attempt(const EffectPtr& effect, const llm::FailedAttempt& attempt) {
  auto record = failed_attempt_record(effect->record, attempt, services_.now());
  services_.progress.attempt_failed(where_, record);
  services_.writer.record(std::move(record), {});
  const auto cost = cost_of(attempt.usage, attempt.usd, attempt.unsettled);
  // Both meters are charged, whatever the first says: they must agree with the store.
  const bool own = budget_.charge_attempt(cost), shared = services_.total.charge_attempt(cost);
  if (!shared) {
    const auto& budget = services_.total.budget();
    coordinator_.pause({"campaign: failed attempts have used up the budget", budget.usd ? "usd" : "tokens"});
  } else if (!own) {
    effect->budget_refusal = "trajectory: failed attempts have used up the budget (" + attempt.detail + ")";
  }
  effect->no_more_attempts = !own || !shared || coordinator_.pausing() || effect->cancelled;
  return !effect->no_more_attempts;
}

void Trajectory::on_result(const EffectPtr& effect, llm::LlmResult result) {
  // A cancelled call that was answered all the same is recorded with its answer: it is paid for.
  if (effect->cancelled && !result.ok()) return end_cancelled_call(effect, std::move(result));
  if (result.status == llm::LlmStatus::cancelled) {  // the engine is stopping
    effect->stage = PendingEffect::Stage::unstarted;
    return release_reservation(effect);
  }
  if (!result.ok() && effect->no_more_attempts) {
    // Each attempt's cost was charged when it failed.
    release_reservation(effect);
    effect->stage = PendingEffect::Stage::unstarted;
    if (effect->budget_refusal.empty()) return;  // the campaign pauses: a resume calls again
    effect->record.ended_at = services_.now();
    return commit_answer(effect, Answer{AnswerStatus::budget_exhausted, "",
                                        std::exchange(effect->budget_refusal, ""), std::nullopt});
  }
  // An outage says nothing of the request: it is no result, and a strategy must not see it.
  if (result.fault == llm::Fault::endpoint || result.fault == llm::Fault::account) {
    release_reservation(effect);
    effect->stage = PendingEffect::Stage::unstarted;
    return coordinator_.pause({pause_reason(result, effect->record.model), ""});
  }
  const auto cost = cost_of(result.usage, result.usd, result.unsettled);
  budget_.settle_call(effect->reserved_cost, cost);
  services_.total.settle_call(effect->reserved_cost, cost);
  if (retry_with_shorter_prompt(effect, result)) return;
  auto answer =
      result.ok() ? prompts::read_answer(result.text, effect->request.ask, brief_) : failed_answer(result);
  note_truncation(answer, result);
  copy_exchange(effect->record, std::move(result));
  effect->record.ended_at = services_.now();
  commit_answer(effect, std::move(answer));
}

// Sends a shorter prompt if the model could not take this one, as often as it can be cut. Returns whether it
// did.
bool Trajectory::retry_with_shorter_prompt(const EffectPtr& effect, const llm::LlmResult& result) {
  if (result.status != llm::LlmStatus::context_exceeded) return false;
  const auto before = effect->record.prompt.size();
  while (effect->level < kShortestLevel) {
    ++effect->level;
    render(*effect);
    if (effect->record.prompt.size() >= before) continue;  // there was nothing for this level to cut
    // The refused call becomes a failed attempt on record; its cost is settled already.
    services_.writer.record(
        failed_attempt_record(effect->record, llm::failed_attempt(result), services_.now()), {});
    start_call(effect);
    return true;
  }
  return false;
}

void Trajectory::release_reservation(const EffectPtr& effect) {
  budget_.drop_call(effect->reserved_cost);
  services_.total.drop_call(effect->reserved_cost);
  // The store's reservation must go too, or a later run would count it at its worst case.
  if (std::exchange(effect->record.reserved, false))
    services_.writer.end_call(effect->record.trajectory, effect->record.step, effect->record.slot, {});
}

void Trajectory::commit_answer(const EffectPtr& effect, Answer answer) {
  effect->stage = PendingEffect::Stage::committing;
  auto& record = effect->record;
  record.status = answer.status;
  record.detail = answer.detail;
  if (answer.candidate) record.candidate = answer.candidate->hash;
  services_.progress.answered(where_, effect->request.round, record);
  auto candidate = answer.candidate;
  auto go_on = committed([this, effect, answer = std::move(answer)]() mutable {
    on_answer_committed(effect, std::move(answer));
  });
  services_.writer.record(std::move(record), std::move(candidate), std::move(go_on));
}

// A verdict is asked for only now that the answer is committed: a killed engine finds the candidate there.
void Trajectory::on_answer_committed(const EffectPtr& effect, Answer answer) {
  effect->attempt.answer = std::move(answer);
  effect->answer_recorded = true;
  effect->messages.clear();
  if (!wants_verdict(*effect)) return finish(effect, services_.now());
  draft_evaluation(*effect);
  effect->cancelled ? commit_cancelled_evaluation(effect) : evaluate(effect);
}

// Ends a call that came back without an answer after the strategy had cancelled it. A provider may bill a
// call that was broken off, so its cost counts.
void Trajectory::end_cancelled_call(const EffectPtr& effect, llm::LlmResult result) {
  if (result.attempts == 0) {  // never sent
    release_reservation(effect);
    return commit_cancelled_request(effect);
  }
  const auto cost = cost_of(result.usage, result.usd, result.unsettled);
  budget_.settle_call(effect->reserved_cost, cost);
  services_.total.settle_call(effect->reserved_cost, cost);
  copy_exchange(effect->record, std::move(result));
  commit_cancelled_request(effect);
}

void Trajectory::commit_cancelled_request(const EffectPtr& effect) {
  effect->stage = PendingEffect::Stage::ended;
  auto& record = effect->record;
  record.status = AnswerStatus::cancelled;
  record.detail = effect->cancel_reason;
  record.ended_at = services_.now();
  if (record.started_at == 0) record.started_at = record.ended_at;
  if (!record.llm_status.empty()) services_.progress.answered(where_, effect->request.round, record);
  services_.writer.record(std::move(record), std::nullopt, committed([] {}));
}

}  // namespace ridgeline::campaign
