// Reading JSON from outside, where any key may be absent, null or of another type.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::llm {

/// The member, or a null where `object` is no object or has none of that name.
const nlohmann::json& member(const nlohmann::json& object, std::string_view key);

/// The first element, or a null where `array` is no array or is empty.
const nlohmann::json& first_of(const nlohmann::json& array);

/// The string at `key`; empty where there is none.
const std::string& text_at(const nlohmann::json& object, std::string_view key);

/// The integer at `key`, if it is a number.
std::optional<std::int64_t> integer_at(const nlohmann::json& object, std::string_view key);

/// Where answers are asked for one at a time, only that of index 0 is read; one without an index is it.
bool is_ours(const nlohmann::json& choice);

/// Parses text from outside: what is not UTF-8 becomes U+FFFD rather than an error. Nothing where it is no
/// JSON, or nests deeper than 512 levels.
std::optional<nlohmann::json> parse_foreign_json(std::string_view text);

/// Compact text that never throws, whatever the strings hold.
std::string dump_json(const nlohmann::json& value);

}  // namespace ridgeline::llm
