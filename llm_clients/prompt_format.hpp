// Messages as one prompt, for servers that complete text: the formats that open checkpoints were trained on.
#pragma once

#include <string>
#include <vector>

#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

/// The prompt, up to where the model goes on. `plain` is the contents with a blank line between; the others
/// leave out the begin-of-text token, which the server adds. `mistral` has no system role: the system text
/// goes before the first user message.
std::string completion_prompt(PromptFormat format, const std::vector<Message>& messages);

/// Where the model's turn ends in that format.
std::vector<std::string> completion_stops(PromptFormat format);

}  // namespace ridgeline::llm
