// What a provider's answer has come to so far; the protocols write it, the clients read it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "llm_clients/client.hpp"

namespace ridgeline::llm {

/// Whose failure an attempt is, as far as the attempt alone can tell.
enum class Blame {
  request,   ///< this request's own: sending the same again cannot succeed
  answer,    ///< the model gave nothing that can be used: another try may
  endpoint,  ///< the way there, the server or its limits
  account,   ///< the key, or what it may still spend
  denied,    ///< 403, 404, a redirect, an unknown parameter: of the entry where all fail alike, else of this
             ///< request
};

/// A part of the body that some servers do not take, and that a request can do without.
enum class BodyPart { none, seed, max_tokens };

struct Failure {
  LlmStatus status = LlmStatus::malformed;
  std::string detail;  ///< what, where, the fix
  Blame blame = Blame::endpoint;
  std::string why;                    ///< in a word or two, for progress: "503", "connection refused"
  std::optional<double> wait_s;       ///< how long the server asks to be left alone
  bool may_be_billed = true;          ///< sent whole, and not turned away with an error status
  bool at_once = false;               ///< one of it is enough to take the endpoint for out
  BodyPart rejects = BodyPart::none;  ///< a 400 that names this part
};

struct Answer {
  std::string text;
  std::string reasoning;
  std::string finish_reason;  ///< the provider's own word; empty while it goes on
  std::string provider_model;
  Usage usage;
  bool usage_is_final = false;  ///< reported with the end of the text or after it
  std::string usage_problem;    ///< counts that cannot be; then `usage` is as if nothing was reported
  bool refused = false;         ///< said by something other than the finish reason
  bool tool_call = false;       ///< it calls a tool, so an empty text is no fault
  bool ended = false;           ///< nothing more will come
  std::optional<Failure> failure;

  /// The text is whole, even if the connection should break now.
  bool finished() const { return ended || !finish_reason.empty(); }
};

/// answered, truncated, refused or empty, by the words of all providers in one table.
LlmStatus status_of_finish(std::string_view finish_reason);

}  // namespace ridgeline::llm
