// Writes every attempt with everything known about it except times of day, one line each, including requests
// without a kernel and critics.
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

/// Our JSON writes NaN and infinities as text. Column readers want one type in a column, so here they become
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

/// The feedback in the prompt: of what kind, and about which candidate ("": none).
json feedback_of(const store::AskRecord& ask) {
  auto items = json::array();
  for (const auto& item : json::parse(ask.feedback))
    items.push_back({{"kind", item.value("kind", "")}, {"about", item.value("about", "")}});
  return items;
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
          {"feedback", feedback_of(ask)},
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

json line_of(const TaskTrajectories& task, const ExportedTrajectory& trajectory,
             const store::AttemptRecord& attempt, const Transition* change) {
  auto line = origin(trajectory, task.split);
  line.update(address(attempt.ask));
  line["schema"] = schema;
  line["task_hash"] = task.task.hash;
  line["seed"] = std::to_string(trajectory.record.seed);  // 64 bits, as text that no reader rounds
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
    const auto verdict = task.visible_verdict(attempt);
    line["verdict"] = document_of(verdict);
    if (is_judged(attempt)) line["correct"] = verdict.correct();
    if (verdict.correct() && verdict.timing) line["speedup"] = verdict.speedup();
  }
  line["transition"] = change != nullptr ? facts(*change) : json(nullptr);
  return line;
}

}  // namespace

void write_jsonl(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& trajectory : task.trajectories) {
    const auto edges = edges_of(trajectory, lines.options().confidence);
    lines.note(edges);
    std::map<const store::AttemptRecord*, const Transition*> transition_to;
    for (const auto& edge : edges.edges) transition_to[edge.after] = &edge.transition;
    for (const auto& attempt : trajectory.attempts) {
      if (trajectory.is_copy(attempt)) continue;
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
                line_of(task, trajectory, attempt, transition));
    }
  }
}

}  // namespace ridgeline::exporting
