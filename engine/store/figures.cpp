#include "engine/store/figures.hpp"

#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/statement.hpp"
#include "engine/store/verdict_document.hpp"

namespace ridgeline::store {
namespace {

using nlohmann::json;

// SQLite parses the document once a row for all paths of one call. A path that is not there gives null.
const std::string select_figures =
    "SELECT a.trajectory, a.round, a.critic, a.status, a.llm_status <> '', a.input_tokens + a.output_tokens,"
    " a.usd, a.started_at, a.ended_at,"
    " e.id, e.candidate, e.status, e.started_at, e.ended_at, e.device, e.judged, e.compiled, e.correct,"
    " e.cheated, e.faithful_correct, e.failed_at, e.reason,"
    " json_extract(e.verdict, '$.timing.speedup', '$.timing.speedup_low', '$.timing.speedup_high',"
    " '$.flags[0]', '$.stages.timing.reason', '$.final_failures',"
    " '$.stages.' || coalesce(e.failed_at, 'build') || '.status', '$.stages.call.seconds',"
    " '$.stages.correctness.seconds', '$.stages.timing.seconds', '$.stages.profile.seconds',"
    " '$.quantization')"
    " FROM asks a"
    " LEFT JOIN evaluations e ON e.trajectory = a.trajectory AND e.step = a.step AND e.slot = a.slot"
    " WHERE a.trajectory IN (SELECT id FROM trajectories WHERE campaign = ?)"
    " ORDER BY a.trajectory, a.step, a.slot";

double number_in(const json& value) {
  return value.is_number() ? value.get<double>() : 0;
}

std::string text_in(const json& value) {
  return value.is_string() ? value.get<std::string>() : "";
}

/// The first suspicion, in the order of Verdict::suspicions.
std::string doubt_in(const json& flag, bool cheated, const json& timing_reason) {
  if (flag.is_string()) return flag.get<std::string>();
  if (cheated) return "cheated";
  const auto reason = text_in(timing_reason);
  for (const auto doubtful : {Reason::implausible, Reason::timing_disputed, Reason::wrong_when_timed})
    if (reason == to_string(doubtful)) return reason;
  return "";
}

EvaluationFigures read_evaluation_figures(Columns& c) {
  EvaluationFigures figures;
  figures.id = c.number();
  figures.candidate = c.text();
  figures.status = c.name<EvaluationStatus>();
  figures.started_at = c.number();
  figures.ended_at = c.number();
  figures.device = c.text();
  figures.judged = c.truth();
  figures.compiled = c.truth();
  figures.correct = c.truth();
  const bool cheated = c.truth();
  figures.faithful = c.truth();
  if (c.at_null()) {
    c.skip();
    c.skip();
  } else {
    figures.failed_at = c.name<Stage>();
    figures.reason = c.name<Reason>();
  }
  if (c.at_null()) return figures;  // nothing was evaluated
  const auto found = json::parse(c.text());
  figures.speedup = number_in(found[0]);
  figures.speedup_low = number_in(found[1]);
  figures.speedup_high = number_in(found[2]);
  figures.doubt = doubt_in(found[3], cheated, found[4]);
  figures.final_failures = static_cast<int>(found[5].size());
  if (figures.failed_at)
    figures.failed_status = from_name<Status>(text_in(found[6])).value_or(Status::not_reached);
  for (std::size_t stage = 7; stage <= 10; ++stage) figures.gpu_seconds += number_in(found[stage]);
  if (found[11].is_array()) found[11].get_to(figures.quantization);
  return figures;
}

AttemptFigures read_attempt_figures(Columns& c) {
  AttemptFigures figures;
  figures.trajectory = c.number();
  figures.round = c.integer();
  figures.critic = c.truth();
  figures.answer = c.name<AnswerStatus>();
  figures.sent = c.truth();
  figures.tokens = c.number();
  figures.usd = c.real();
  figures.started_at = c.number();
  figures.ended_at = c.number();
  if (!c.at_null()) figures.evaluation = read_evaluation_figures(c);
  return figures;
}

}  // namespace

std::vector<AttemptFigures> read_figures(const Reader& reader, Id campaign) {
  return guarded(reader.database(), [&] {
    SQLite::Statement rows(reader.database(), select_figures);
    rows.bind(1, campaign);
    std::vector<AttemptFigures> figures;
    while (rows.executeStep()) {
      Columns columns(rows);
      figures.push_back(read_attempt_figures(columns));
    }
    return figures;
  });
}

std::vector<Roofline> rooflines_of(const Reader& reader, Id evaluation) {
  return guarded(reader.database(), [&] {
    SQLite::Statement rows(reader.database(),
                           "SELECT json_extract(verdict, '$.rooflines') FROM evaluations WHERE id = ?");
    rows.bind(1, evaluation);
    if (!rows.executeStep() || rows.getColumn(0).isNull()) return std::vector<Roofline>();
    Columns columns(rows);
    return rooflines_in(columns.text());
  });
}

}  // namespace ridgeline::store
