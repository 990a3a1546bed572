// Reads and writes the JSON of recordings and mailboxes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "llm_clients/recording.hpp"

namespace ridgeline::llm {

nlohmann::json messages_json(const std::vector<Message>& messages);
std::string messages_text(const std::vector<Message>& messages);
/// Throws BadInput that begins with `where` if `value` is no array of {"role", "content"}.
std::vector<Message> messages_of(const nlohmann::json& value, const std::string& where);

/// Reads a recorded usage. A value that is no object, or that has an impossible count, reads as not reported;
/// `problem` then names the count.
Usage usage_of(const nlohmann::json& value, std::string* problem = nullptr);

/// Writes one line of a recording, without a line end.
std::string recorded_line(const RecordedAnswer& answer);
/// Parses such a line. Throws BadInput that begins with `where` and names the key at fault.
RecordedAnswer answer_of_line(const std::string& line, const std::string& where);

}  // namespace ridgeline::llm
