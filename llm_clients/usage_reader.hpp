// Reads token counts as providers report them. Counts are money, so an impossible count is reported as the
// provider's error, and never lowers the cost of a call.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "llm_clients/answer.hpp"

namespace ridgeline::llm {

/// Returns the count at `key`, or nothing if there is none. Notes a negative, fractional or absurd count in
/// `answer.usage_problem`; the whole usage then counts as not reported.
std::optional<std::int64_t> token_count(const nlohmann::json& usage, std::string_view key, Answer& answer);

/// Clears a usage that has an impossible count. Call it when the answer has ended.
void discard_impossible_usage(Answer& answer);

}  // namespace ridgeline::llm
