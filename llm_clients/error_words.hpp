// Interprets the error objects of providers, routers and local servers: their codes, and phrases of their
// messages where there is no code. One table serves all, because routers pass on each other's words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "llm_clients/answer.hpp"

namespace ridgeline::llm {

/// The meaning of an error for the client.
struct Meaning {
  LlmStatus status;
  Blame blame;
};

/// Looks up the error's code ("code", "status", "type" or a "reason" in its details). Returns nothing if it
/// is unknown.
std::optional<Meaning> meaning_of_code(const nlohmann::json& error);

/// Searches the error's message for what codes do not say: a prompt that is too long, a refused key, an empty
/// account, a flagged prompt. Returns nothing if it contains no known phrase.
std::optional<Meaning> meaning_of_message(const nlohmann::json& error);

/// Returns the optional part of the body that the error names.
BodyPart rejected_part(const nlohmann::json& error);

/// Returns the error's message for people, or the whole error as JSON if it has none.
std::string message_of_error(const nlohmann::json& error);

}  // namespace ridgeline::llm
