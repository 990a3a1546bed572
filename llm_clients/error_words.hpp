// The words by which providers, routers and local servers say what is wrong: codes, and phrases of their
// messages where no code tells. One table for all, because they mix each other's words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "llm_clients/answer.hpp"

namespace ridgeline::llm {

struct Meaning {
  LlmStatus status;
  Blame blame;
};

/// What the error object's code says ("code", "status", "type" or a "reason" in its details), if it is known.
std::optional<Meaning> meaning_of_code(const nlohmann::json& error);

/// What its message says beyond the code: a prompt that is too long, a refused key or empty account, a prompt
/// that was flagged.
std::optional<Meaning> meaning_of_message(const nlohmann::json& error);

/// The part of the body that it names as one it does not take.
BodyPart rejected_part(const nlohmann::json& error);

/// What it says to a person, or all of it where it says nothing.
std::string message_of_error(const nlohmann::json& error);

}  // namespace ridgeline::llm
