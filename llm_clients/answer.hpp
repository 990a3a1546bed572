// The state of a provider's answer while it arrives. The protocols (protocol.hpp) fill it; the clients read
// it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "llm_clients/client.hpp"

namespace ridgeline::llm {

/// Who is to blame for a failed attempt, as far as that attempt alone can tell. `Fault` (client.hpp) is the
/// client's final word on a request.
enum class Blame {
  request,   ///< this request: sending the same again cannot succeed
  answer,    ///< the model wrote nothing usable: another attempt may succeed
  endpoint,  ///< the network, the server or its rate limits
  account,   ///< the key, or the credit behind it
  denied,    ///< 403, 404, a redirect, an unknown parameter: the model entry is wrong if every request gets
             ///< this, else only this request is
};

/// An optional part of the request body that some servers reject.
enum class BodyPart { none, seed, max_tokens };

struct Failure {
  LlmStatus status = LlmStatus::malformed;
  std::string detail;  ///< says what failed, where, and how to fix it
  Blame blame = Blame::endpoint;
  std::string why;               ///< the cause in a word or two, for progress: "503", "connection refused"
  std::optional<double> wait_s;  ///< seconds that the server asks clients to wait
  bool may_be_billed = true;     ///< the whole request was sent, and no error status came back
  bool opens_breaker = false;    ///< a single failure of this kind opens the circuit breaker
  BodyPart rejects = BodyPart::none;  ///< the server answered 400 or 422 and named this part
};

struct Answer {
  std::string text;
  std::string reasoning;
  std::string finish_reason;  ///< the provider's own word; empty until the answer ends
  std::string provider_model;
  Usage usage;
  bool usage_is_final = false;  ///< the usage came with the end of the text or after it
  std::string usage_problem;    ///< names an impossible count; `usage` is then treated as not reported
  bool refused = false;         ///< a refusal that the finish reason does not show
  bool tool_call = false;       ///< the model called a tool, so an empty text is no failure
  bool ended = false;           ///< the protocol's last event has come
  std::optional<Failure> failure;

  /// Whether the text is complete, so that a broken connection no longer matters.
  bool finished() const { return ended || !finish_reason.empty(); }
};

/// Maps a finish reason to answered, truncated, refused or empty. One table serves all providers, because
/// routers pass on each other's words; an unknown reason counts as answered.
LlmStatus status_of_finish(std::string_view finish_reason);

}  // namespace ridgeline::llm
