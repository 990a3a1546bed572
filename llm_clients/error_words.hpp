// Interprets the errors that providers, routers and local servers report as JSON: their codes, and phrases of
// their messages where there is no code. One table serves all servers, because routers pass on the words of
// the provider behind them.
//
// Each function takes `error`: what a response body or event has under "error", or the whole body if it has
// none (provider_error.hpp). It is an object as a rule; servers also send a string.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "llm_clients/answer.hpp"

namespace ridgeline::llm {

/// Says what an error means for the request that got it.
struct Meaning {
  LlmStatus status;  ///< what went wrong
  Blame blame;       ///< who is at fault (answer.hpp), which decides whether another attempt makes sense
};

/// Looks up the error's code: a "reason" in its "details", else "code", "status" or "type". Returns nothing
/// if none of them is known.
std::optional<Meaning> meaning_of_code(const nlohmann::json& error);

/// Searches the error's message for what codes do not say: a prompt that is too long, an API key that the
/// provider refuses, an account without credit, a prompt that moderation flagged. Returns nothing if the
/// message contains no known phrase.
std::optional<Meaning> meaning_of_message(const nlohmann::json& error);

/// Returns which optional part of the request's body the error names as unsupported, so that the request can
/// be sent again without it (or, for max_tokens, under its other name); BodyPart::none if it names none. Call
/// it only for the statuses 400 and 422, with which a server rejects the body.
BodyPart rejected_part(const nlohmann::json& error);

/// Returns the error's message for people ("message", "detail" or "error"; a string is its own message), or
/// the whole error as JSON if it has none.
std::string message_of_error(const nlohmann::json& error);

}  // namespace ridgeline::llm
