// JSON that the formats share: messages, and the columns that say where a line comes from.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "engine/export/edges.hpp"
#include "engine/export/splits.hpp"

namespace ridgeline::exporting {

/// [{"role": "assistant", "content": text}]
nlohmann::json as_completion(const std::string& text);
/// The source in a fenced block of its language: what an answer to a task's first prompt looks like.
std::string as_answer(const Candidate& candidate);
/// The messages of a rendered prompt; an empty array where none were kept.
nlohmann::json messages_of(const store::AskRecord& ask);

/// Columns `task`, `category`, `language`, `campaign`, `strategy`, `model`, `split`: where a line comes from.
nlohmann::json origin(const Walk& walk, Split split);
/// Columns `kind`, `from_stage`, `to_stage`, `complete`, `ratio`, `ratio_low`, `ratio_high`, `flags`; a value
/// that does not apply is null, so every line has the same columns.
nlohmann::json facts(const Transition& transition);
/// The columns `address`: trajectory, step, slot, round.
nlohmann::json address(const store::AskRecord& ask);

}  // namespace ridgeline::exporting
