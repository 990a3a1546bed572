// Builds JSON that the formats share: messages, and the columns that say where a line comes from.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/export/edges.hpp"
#include "engine/export/splits.hpp"

namespace ridgeline::exporting {

/// Returns an answer as a list of messages:
/// [{"role": "assistant", "content": text}]
nlohmann::json as_completion(const std::string& text);
/// Returns the source in a fenced block of its language: the form of an answer to a task's first prompt.
std::string as_answer(const Candidate& candidate);
/// Returns the messages of a rendered prompt; an empty array if none were kept.
nlohmann::json messages_of(const store::AskRecord& ask);

// Columns. None is ever null: text that does not apply is "", and a number is 0, which no ratio, speed-up or
// cost of a model that was asked can be.

/// `task`, `category`, `language`, `campaign`, `strategy`, `model`, `split`: where a line comes from.
nlohmann::json origin(const ExportedTrajectory& trajectory, Split split);
/// `trajectory`, `step`, `slot`, `round`.
nlohmann::json address(const store::AskRecord& ask);
/// `kind`, `from_stage`, `to_stage` ("correct" where no stage failed), `complete`, `ratio`, `ratio_low`,
/// `ratio_high`, `flags` (joined by "; ").
nlohmann::json facts(const Transition& transition);
/// The same for a first answer, which changes no candidate: kind "first".
nlohmann::json first_facts(const Verdict& verdict);

/// Returns "correct", or the stage that failed.
std::string outcome(const Verdict& verdict);
/// Returns why a candidate failed, in one text: stage, reason, the compiler's error, mismatches; "" if it is
/// correct. Pass a verdict without secrets.
std::string failure_text(const Verdict& verdict);
/// Joins flags by "; ".
std::string joined(const std::vector<std::string>& flags);

}  // namespace ridgeline::exporting
