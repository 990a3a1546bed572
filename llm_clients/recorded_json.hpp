// The JSON that recordings and mailboxes are written in.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "llm_clients/recording.hpp"

namespace ridgeline::llm {

nlohmann::json messages_json(const std::vector<Message>& messages);
std::string messages_text(const std::vector<Message>& messages);
/// Throws BadInput, `where` in front, if it is no array of {"role", "content"}.
std::vector<Message> messages_of(const nlohmann::json& value, const std::string& where);

/// As in a recording; what is no object is nothing reported, and so is one with a count that cannot be, which
/// `problem` then names.
Usage usage_of(const nlohmann::json& value, std::string* problem = nullptr);

/// One line of a recording, without its line end.
std::string recorded_line(const RecordedAnswer& answer);
/// Throws BadInput, `where` in front, naming the key that is missing or of another type.
RecordedAnswer answer_of_line(const std::string& line, const std::string& where);

}  // namespace ridgeline::llm
