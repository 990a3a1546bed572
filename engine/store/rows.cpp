#include "engine/store/rows.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/store/packed.hpp"
#include "engine/store/verdict_document.hpp"

namespace ridgeline::store {

AskRecord read_ask(Columns& c, std::vector<Hash>& parents) {
  AskRecord a;
  a.trajectory = c.number();
  a.step = c.integer();
  a.slot = c.integer();
  a.round = c.integer();
  a.request_hash = c.text();
  a.role = c.text();
  a.critic = c.truth();
  a.model = c.text();
  a.temperature = c.optional_real();
  a.change = c.text();
  a.feedback = c.text();
  a.llm_status = c.text();
  a.llm_detail = c.text();
  a.provider_model = c.text();
  a.model_id = c.text();
  a.endpoint = c.text();
  a.finish_reason = c.text();
  a.tokens.input = c.number();
  a.tokens.output = c.number();
  a.tokens.cached = c.number();
  a.tokens.reasoning = c.number();
  a.tokens.cache_write = c.number();
  a.usd = c.real();
  a.unsettled.tokens = c.number();
  a.unsettled.usd = c.real();
  a.seconds = c.real();
  a.attempts = c.integer();
  a.diverged = c.truth();
  a.status = c.name<AnswerStatus>();
  a.detail = c.text();
  a.candidate = c.text();
  const auto list = c.text();
  parents = list == "[]" ? std::vector<Hash>{} : nlohmann::json::parse(list).get<std::vector<Hash>>();
  a.started_at = c.number();
  a.ended_at = c.number();
  a.response_text = c.text();
  return a;
}

void read_ask_prompt(Columns& c, AskRecord& ask) {
  ask.reasoning = c.text();
  ask.prompt = c.text();
}

void read_ask_raw(Columns& c, AskRecord& ask) {
  ask.raw_request = unpacked(c.bytes());
  ask.raw_response = unpacked(c.bytes());
}

FailedAttemptRecord read_failed_attempt(Columns& c) {
  FailedAttemptRecord f;
  f.trajectory = c.number();
  f.step = c.integer();
  f.slot = c.integer();
  f.number = c.integer();
  f.model = c.text();
  f.model_id = c.text();
  f.endpoint = c.text();
  f.llm_status = c.text();
  f.detail = c.text();
  f.tokens.input = c.number();
  f.tokens.output = c.number();
  f.tokens.cached = c.number();
  f.tokens.reasoning = c.number();
  f.tokens.cache_write = c.number();
  f.usd = c.real();
  f.unsettled.tokens = c.number();
  f.unsettled.usd = c.real();
  f.seconds = c.real();
  f.at = c.number();
  f.raw_response = unpacked(c.bytes());
  return f;
}

EffectEvent read_effect_event(Columns& c) {
  EffectEvent event;
  event.trajectory = c.number();
  event.ordinal = c.integer();
  event.event = c.name<EffectEventKind>();
  event.step = c.integer();
  event.slot = c.integer();
  event.reason = c.text();
  event.at = c.number();
  return event;
}

std::optional<Candidate> read_candidate(Columns& c, const Hash& hash, std::vector<Hash> parents) {
  if (c.at_null()) {
    c.skip();
    c.skip();
    return std::nullopt;
  }
  Candidate candidate;
  candidate.language = c.name<Language>();
  candidate.source = c.text();
  candidate.hash = hash;
  candidate.parents = std::move(parents);
  return candidate;
}

EvaluationRecord read_evaluation(Columns& c) {
  EvaluationRecord e;
  e.trajectory = c.number();
  e.step = c.integer();
  e.slot = c.integer();
  e.round = c.integer();
  e.request_hash = c.text();
  e.candidate = c.text();
  e.status = c.name<EvaluationStatus>();
  e.seconds = c.real();
  e.worker = c.text();
  e.started_at = c.number();
  e.ended_at = c.number();
  if (c.at_null()) return e;
  const auto document = c.text();
  e.verdict = verdict_of(document, c.doubles());
  return e;
}

BaselineRecord read_baseline(Columns& c) {
  BaselineRecord b;
  b.task_hash = c.text();
  b.device = c.text();
  b.kind = c.name<BaselineKind>();
  b.case_name = c.text();
  b.description = c.text();
  b.cold.median = c.real();
  b.cold.low = c.real();
  b.cold.high = c.real();
  b.cold.converged = c.truth();
  b.cold.samples = c.doubles();
  b.measured_at = c.number();
  b.mode = c.text();
  b.eager = c.real();
  return b;
}

}  // namespace ridgeline::store
