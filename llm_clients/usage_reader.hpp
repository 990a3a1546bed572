// Reads the token counts (the "usage") that a provider reports with an answer. The cost of a call is computed
// from them. So a usage with an impossible count is dropped as a whole: the call then counts at its worst
// case (unsettled_cost in prices.hpp), and a wrong count cannot make it look cheaper.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "llm_clients/answer.hpp"

namespace ridgeline::llm {

/// Returns the count at `key` of the object `usage`. Returns nothing if there is none (or null), and also if
/// the count is impossible: negative, fractional, above 1e12, or no number. An impossible count is described
/// in `answer.usage_problem`, if that is still empty.
std::optional<std::int64_t> token_count(const nlohmann::json& usage, std::string_view key, Answer& answer);

/// Clears `answer.usage` and `usage_is_final` if `usage_problem` names an impossible count, so that the usage
/// counts as not reported. Call it when the answer has ended, since counts may come in several events.
void discard_impossible_usage(Answer& answer);

}  // namespace ridgeline::llm
