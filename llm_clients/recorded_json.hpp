// Reads and writes the JSON of recordings and mailboxes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "llm_clients/recording.hpp"

namespace ridgeline::llm {

/// Returns the array of {"role", "content"} that messages_of reads.
nlohmann::json messages_json(const std::vector<Message>& messages);
/// Returns messages_json as text: what the mailbox hashes, and what `replay` stores as the raw request.
std::string messages_text(const std::vector<Message>& messages);
/// Throws BadInput that begins with `where` if `value` is no array of {"role", "content"}.
std::vector<Message> messages_of(const nlohmann::json& value, const std::string& where);

/// Reads a recorded usage. A value that is no object, or an object without any of the counts, reads as not
/// reported. So does a usage with an impossible count; `problem` then says which, and is "" after any other
/// object (it stays as it is for a value that is no object). A count that is missing beside others is 0.
Usage usage_of(const nlohmann::json& value, std::string* problem = nullptr);

/// Writes one line of a recording, without a line end.
std::string recorded_line(const RecordedAnswer& answer);
/// Parses such a line. Throws BadInput that begins with `where` and names the key at fault. A usage that
/// cannot be read is no error, and counts as not reported.
RecordedAnswer answer_of_line(const std::string& line, const std::string& where);

}  // namespace ridgeline::llm
