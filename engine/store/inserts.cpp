#include "engine/store/inserts.hpp"

#include "engine/store/columns.hpp"
#include "engine/store/statement.hpp"

namespace ridgeline::store {
namespace {

std::string list(std::initializer_list<const char*> parts) {
  std::string joined;
  for (const char* part : parts) joined += (joined.empty() ? "" : ", ") + std::string(part);
  return joined;
}

}  // namespace

Inserts::Inserts(SQLite::Database& database)
    : database_(database),
      candidate_(database,
                 insert_into("candidates", "hash, language, source") + " ON CONFLICT (hash) DO NOTHING"),
      ask_(database, insert_into("asks", list({ask_columns, ask_prompt_columns, ask_raw_columns}))),
      failed_attempt_(database, insert_into("failed_attempts", failed_attempt_columns)),
      started_call_(database,
                    "INSERT OR REPLACE INTO started_calls (trajectory, step, slot, model, tokens, usd,"
                    " started_at) VALUES (?, ?, ?, ?, ?, ?, ?)"),
      ended_call_(database, "DELETE FROM started_calls WHERE trajectory = ? AND step = ? AND slot = ?"),
      effect_event_(database, insert_into("effect_events", effect_event_columns)),
      evaluation_(database, insert_into("evaluations", list({evaluation_columns, verdict_columns}))),
      baseline_(database, insert_into("baselines", baseline_columns) +
                              " ON CONFLICT (task, device, kind, mode, case_name) DO UPDATE SET description "
                              "= excluded.description,"
                              " median = excluded.median, low = excluded.low, high = excluded.high,"
                              " converged = excluded.converged, samples = excluded.samples,"
                              " measured_at = excluded.measured_at, eager = excluded.eager"),
      device_(database, insert_into("devices", "name, ceilings, seen_at") +
                            " ON CONFLICT (name) DO UPDATE SET ceilings = excluded.ceilings,"
                            " seen_at = excluded.seen_at"),
      state_(database, "UPDATE trajectories SET state = ?, detail = ?, finished_at = ? WHERE id = ?"),
      campaign_(database, insert_into("campaigns", campaign_columns)),
      task_(database,
            insert_into("tasks", "hash, name, category, document") + " ON CONFLICT (hash) DO NOTHING"),
      trajectory_(database, insert_into("trajectories",
                                        "campaign, task, strategy, strategy_json, language, model, "
                                        "seed, state, finished_at, detail, origin, kept_steps, identity")) {}

void Inserts::candidate(const Candidate& candidate) {
  write_row(candidate_, candidate.hash, candidate.language, candidate.source);
}

void Inserts::ask(const AskRecord& a, const std::string& parents) {
  write_row(ask_, a.trajectory, a.step, a.slot, a.round, a.request_hash, a.role, a.critic, a.model,
            a.temperature, a.change, a.feedback, a.llm_status, a.llm_detail, a.provider_model, a.model_id,
            a.endpoint, a.finish_reason, a.tokens.input, a.tokens.output, a.tokens.cached, a.tokens.reasoning,
            a.tokens.cache_write, a.usd, a.unsettled.tokens, a.unsettled.usd, a.seconds, a.attempts,
            a.diverged, a.status, a.detail, TextOrNull{a.candidate}, parents, a.started_at, a.ended_at,
            a.response_text, a.reasoning, a.prompt, Bytes{a.raw_request}, Bytes{a.raw_response});
  if (a.reserved) ended_call(a.trajectory, a.step, a.slot);
}

void Inserts::failed_attempt(const FailedAttemptRecord& f) {
  write_row(failed_attempt_, f.trajectory, f.step, f.slot, f.number, f.model, f.model_id, f.endpoint,
            f.llm_status, f.detail, f.tokens.input, f.tokens.output, f.tokens.cached, f.tokens.reasoning,
            f.tokens.cache_write, f.usd, f.unsettled.tokens, f.unsettled.usd, f.seconds, f.at,
            Bytes{f.raw_response});
}

void Inserts::started_call(const StartedCall& c) {
  write_row(started_call_, c.trajectory, c.step, c.slot, c.model, c.worst.tokens, c.worst.usd, c.started_at);
}

void Inserts::ended_call(Id trajectory, int step, int slot) {
  write_row(ended_call_, trajectory, step, slot);
}

void Inserts::effect_event(const EffectEvent& e) {
  write_row(effect_event_, e.trajectory, e.ordinal, e.event, e.step, e.slot, e.reason, e.at);
}

void Inserts::evaluation(const EvaluationRecord& e, const std::optional<StoredVerdict>& verdict) {
  static const StoredVerdict none;
  const auto& [document, samples] = verdict ? *verdict : none;
  write_row(evaluation_, e.trajectory, e.step, e.slot, e.round, e.request_hash, e.candidate, e.status,
            e.seconds, e.worker, e.started_at, e.ended_at, TextOrNull{document},
            SamplesOrNull{samples, verdict.has_value()});
}

void Inserts::baseline(const BaselineRecord& b) {
  write_row(baseline_, b.task_hash, b.device, b.kind, b.case_name, b.description, b.cold.median, b.cold.low,
            b.cold.high, b.cold.converged, b.cold.samples, b.measured_at, b.mode, b.eager);
}

void Inserts::device(const DeviceRecord& device, const std::string& ceilings) {
  write_row(device_, device.name, ceilings, device.seen_at);
}

void Inserts::state(Id trajectory, TrajectoryState state, const std::string& detail,
                    Milliseconds finished_at) {
  write_row(state_, state, detail, finished_at, trajectory);
}

Id Inserts::campaign(const CampaignRecord& c) {
  write_row(campaign_, c.name, c.config_text, c.config_hash, c.plan_hash, c.prompts_hash, c.engine_version,
            c.created_at, IdOrNull{c.origin});
  return database_.getLastInsertRowid();
}

void Inserts::task(const TaskRecord& task) {
  write_row(task_, task.hash, task.name, task.category, task.document);
}

Id Inserts::trajectory(const TrajectoryRecord& t) {
  write_row(trajectory_, t.campaign, t.task_hash, t.strategy, t.strategy_json, t.language, t.model,
            static_cast<std::int64_t>(t.seed), t.state, t.finished_at, t.detail, IdOrNull{t.origin},
            t.kept_steps, t.identity);
  return database_.getLastInsertRowid();
}

void Inserts::change(const TrajectoryRecord& t) {
  SQLite::Statement update(database_,
                           "UPDATE trajectories SET task = ?, strategy_json = ?, language = ?, model = ?,"
                           " identity = ? WHERE id = ?");
  write_row(update, t.task_hash, t.strategy_json, t.language, t.model, t.identity, t.id);
}

}  // namespace ridgeline::store
