// Reads JSON from outside, where any key may be absent, null or of another type. Only `dump_json` writes.
// Nothing here throws.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::llm {

/// Returns the member, or a JSON null if `object` is no object or has no such member.
const nlohmann::json& member(const nlohmann::json& object, std::string_view key);

/// Returns the first element, or a JSON null if `array` is no array or is empty.
const nlohmann::json& first_of(const nlohmann::json& array);

/// Returns the string at `key`, or "".
const std::string& text_at(const nlohmann::json& object, std::string_view key);

/// Returns the integer at `key`, or nothing if there is none.
std::optional<std::int64_t> integer_at(const nlohmann::json& object, std::string_view key);

/// Whether a choice has index 0 or no index. Requests ask for one answer, so no other choice is read.
bool is_first_choice(const nlohmann::json& choice);

/// Parses text from outside. Bytes that are no UTF-8 become U+FFFD. Returns nothing if the text is no JSON or
/// nests deeper than 512 levels.
std::optional<nlohmann::json> parse_foreign_json(std::string_view text);

/// Writes compact text. Bytes that are no UTF-8 become U+FFFD.
std::string dump_json(const nlohmann::json& value);

}  // namespace ridgeline::llm
