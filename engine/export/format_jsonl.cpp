// Every attempt with all that is known of it but times of day, one line each: asks without a kernel and
// critics too.
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/export/formats.hpp"
#include "engine/export/row.hpp"
#include "engine/store/model_name.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

constexpr const char* schema = "ridgeline.attempt/1";

/// NaN and infinities stand in our JSON as text; column readers want one type a column, so here they are
/// null.
void numbers_or_null(json& rows, std::initializer_list<const char*> keys) {
  for (auto& row : rows)
    for (const char* key : keys)
      if (row.at(key).is_string()) row[key] = nullptr;
}

json document_of(const Verdict& verdict) {
  json document = verdict;
  for (auto& mismatch : document["mismatches"]) numbers_or_null(mismatch["first"], {"expected", "got"});
  numbers_or_null(document["mismatches"], {"worst_absolute", "worst_relative", "tolerance"});
  numbers_or_null(document["errors"], {"median", "p99", "worst"});
  numbers_or_null(document["quantization"], {"cosine", "relative_l1", "rmse", "sqnr_db"});
  return document;
}

json ask_of(const store::AskRecord& ask) {
  const auto text_or_null = [](const std::string& text) { return text.empty() ? json(nullptr) : json(text); };
  return {{"role", ask.role},
          {"critic", ask.critic},
          {"model", store::model_name(ask)},
          {"entry", ask.model},
          {"endpoint", ask.endpoint},
          {"provider_model", ask.provider_model},
          {"temperature", ask.temperature ? json(*ask.temperature) : json(nullptr)},
          {"change", text_or_null(ask.change)},
          {"feedback", json::parse(ask.feedback)},
          {"prompt", messages_of(ask)},
          {"response", ask.response_text},
          {"reasoning", ask.reasoning},
          {"finish_reason", ask.finish_reason},
          {"status", to_string(ask.status)},
          {"detail", ask.detail},
          {"llm_status", ask.llm_status},
          {"input_tokens", ask.tokens.input},
          {"output_tokens", ask.tokens.output},
          {"cached_tokens", ask.tokens.cached},
          {"reasoning_tokens", ask.tokens.reasoning},
          {"usd", ask.usd},
          {"diverged", ask.diverged}};
}

json line_of(const TaskWalks& task, const Walk& walk, const store::AttemptRecord& attempt,
             const Transition* change) {
  auto line = origin(walk, task.split);
  line.update(address(attempt.ask));
  line["schema"] = schema;
  line["task_hash"] = task.task.hash;
  line["seed"] = std::to_string(walk.trajectory.seed);  // 64 bits: as text, which no reader rounds
  line["cancelled"] = attempt.cancelled ? json(attempt.cancelled_because) : json(nullptr);
  line["ask"] = ask_of(attempt.ask);
  line["candidate"] = nullptr;
  if (attempt.candidate)
    line["candidate"] = {{"hash", attempt.candidate->hash},
                         {"language", to_string(attempt.candidate->language)},
                         {"source", attempt.candidate->source},
                         {"parents", attempt.candidate->parents}};
  line["verdict"] = nullptr;
  line["judged"] = is_judged(attempt);
  line["correct"] = nullptr;
  line["speedup"] = nullptr;
  if (was_evaluated(attempt)) {
    const auto verdict = task.told(attempt);
    line["verdict"] = document_of(verdict);
    if (is_judged(attempt)) line["correct"] = verdict.correct();
    if (verdict.correct() && verdict.timing) line["speedup"] = verdict.speedup();
  }
  line["transition"] = change != nullptr ? facts(*change) : json(nullptr);
  return line;
}

}  // namespace

void write_jsonl(const TaskWalks& task, Lines& lines) {
  for (const auto& walk : task.walks) {
    const auto found = edges_of(walk);
    lines.note(found);
    std::map<const store::AttemptRecord*, const Transition*> transition_to;
    for (const auto& edge : found.edges) transition_to[edge.after] = &edge.transition;
    for (const auto& attempt : walk.attempts) {
      if (walk.is_copy(attempt)) continue;
      const auto at = transition_to.find(&attempt);
      const auto* transition = at == transition_to.end() ? nullptr : at->second;
      if (transition != nullptr && !lines.is_wanted(*transition, true)) continue;
      if (transition == nullptr && is_judged(attempt) && !lines.options().include_flagged &&
          !attempt.evaluation->verdict.suspicions().empty()) {
        lines.leave_out("flagged");
        continue;
      }
      if (transition == nullptr && !lines.options().kinds.empty()) continue;
      lines.add(transition != nullptr ? std::string(to_string(transition->kind)) : "first",
                line_of(task, walk, attempt, transition));
    }
  }
}

}  // namespace ridgeline::exporting
