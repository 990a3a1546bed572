// Builds JSON that the formats share: messages, and the columns that say where a line comes from.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

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

/// Returns the columns `task`, `category`, `language`, `campaign`, `strategy`, `model`, `split`, which say
/// where a line comes from.
nlohmann::json origin(const ExportedTrajectory& trajectory, Split split);
/// Returns the columns `kind`, `from_stage`, `to_stage`, `complete`, `ratio`, `ratio_low`, `ratio_high`,
/// `flags`. A value that does not apply is null, so every line has the same columns.
nlohmann::json facts(const Transition& transition);
/// Returns the columns of `address`: trajectory, step, slot, round.
nlohmann::json address(const store::AskRecord& ask);

}  // namespace ridgeline::exporting
