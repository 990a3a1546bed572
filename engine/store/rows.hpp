// From a statement's current row to a record, columns in the order of columns.hpp.
#pragma once

#include "engine/store/records.hpp"
#include "engine/store/statement.hpp"

namespace ridgeline::store {

/// `ask_columns`; `parents` receives those of the candidate that the answer held.
AskRecord read_ask(Columns& columns, std::vector<Hash>& parents);
/// `ask_prompt_columns`.
void read_ask_prompt(Columns& columns, AskRecord& ask);
/// `ask_raw_columns`.
void read_ask_raw(Columns& columns, AskRecord& ask);
FailedAttemptRecord read_failed_attempt(Columns& c);
/// `effect_event_columns`.
EffectEvent read_effect_event(Columns& c);
/// `candidates.language, candidates.source`, both NULL where the answer held none.
std::optional<Candidate> read_candidate(Columns& columns, const Hash& hash, std::vector<Hash> parents);
/// `evaluation_columns`, then `verdict_columns`.
EvaluationRecord read_evaluation(Columns& columns);
/// `baseline_columns`.
BaselineRecord read_baseline(Columns& columns);

}  // namespace ridgeline::store
