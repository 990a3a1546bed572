// Writes messages as one prompt for servers that complete text, in the formats of open checkpoints.
#pragma once

#include <string>
#include <vector>

#include "llm_clients/client.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

/// Returns the prompt, up to where the model continues. `plain` joins the contents with blank lines. The
/// others omit the begin-of-text token, which the server adds. `mistral` has no system role, so the system
/// text goes before the first user message.
std::string completion_prompt(PromptFormat format, const std::vector<Message>& messages);

/// Returns the stop strings, which end the model's turn in that format.
std::vector<std::string> completion_stops(PromptFormat format);

}  // namespace ridgeline::llm
