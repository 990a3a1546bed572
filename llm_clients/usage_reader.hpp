// Counts of tokens as providers report them. They are money: one that cannot be is the provider's error and
// is said, and never lowers what a call has cost.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "llm_clients/answer.hpp"

namespace ridgeline::llm {

/// The count at `key`; nothing where there is none. A negative, fractional or absurd one is noted in
/// `answer.usage_problem`, and with it the whole usage counts as not reported.
std::optional<std::int64_t> token_count(const nlohmann::json& usage, std::string_view key, Answer& answer);

/// To be called when nothing more comes: takes back a usage that holds an impossible count.
void settle_usage(Answer& answer);

}  // namespace ridgeline::llm
