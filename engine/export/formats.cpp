#include <nlohmann/json.hpp>

#include "engine/export/formats.hpp"
#include "engine/export/redact.hpp"

namespace ridgeline::exporting {

Verdict TaskTrajectories::visible_verdict(const store::AttemptRecord& attempt) const {
  const auto& verdict = attempt.evaluation->verdict;
  return secret ? without_secrets(verdict, *secret) : verdict;
}

void LineWriter::add(const std::string& kind, const nlohmann::json& line) {
  write_(line);
  ++report_.lines;
  ++report_.by_kind[kind];
}

void LineWriter::leave_out(const std::string& reason, int count) {
  if (count > 0) report_.left_out[reason] += count;
}

bool LineWriter::is_new(const Hash& task, const Candidate& first, const Candidate& second) {
  if (!options_.deduplicate || seen_.first_time(task, first, second)) return true;
  leave_out("nearly the same pair was exported");
  return false;
}

bool LineWriter::is_wanted(const Transition& transition, bool by_default) {
  if (transition.flagged() && !options_.include_flagged) {
    leave_out("flagged");
    return false;
  }
  if (options_.kinds.empty() ? by_default : options_.kinds.contains(transition.kind)) return true;
  leave_out("kind " + std::string(to_string(transition.kind)));
  return false;
}

void LineWriter::note(const Edges& edges) {
  for (const auto& [reason, count] : edges.left_out) leave_out(reason, count);
}

}  // namespace ridgeline::exporting
