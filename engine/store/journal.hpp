// A trajectory's journal, read back for replay at resume.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "engine/store/records.hpp"

namespace ridgeline::store {

class Reader;

/// An ask as replay needs it: `prompt`, `raw_request`, `raw_response` and `reasoning` are left empty, so that
/// a thousand journals fit in memory. Reader::attempts reads them.
struct AskEntry {
  AskRecord record;
  std::optional<Candidate> candidate;
};

using JournalEntry = std::variant<AskEntry, EvaluationRecord>;

/// Ordered by step, slot, kind (ask before evaluation). A fixed number of indexed queries, whatever the
/// length.
std::vector<JournalEntry> load_journal(const Reader& reader, Id trajectory);

/// By ordinal.
std::vector<EffectEvent> load_effect_events(const Reader& reader, Id trajectory);

}  // namespace ridgeline::store
