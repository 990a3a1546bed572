// How each provider wants to be asked and how it answers, as pure functions over text.
//
// A protocol is a row of functions without state; all that an answer comes to stands in `Answer`. Adding a
// provider is adding a file with such a row and an entry in `protocol_of`.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "llm_clients/answer.hpp"
#include "llm_clients/http.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

struct Protocol {
  /// Where to POST, with the provider's public address in place of an empty base_url.
  std::string (*url)(const Model&);
  /// The headers that carry `key`; asked only where there is one.
  HttpHeaders (*key_headers)(const std::string& key);
  /// Headers wanted besides those.
  HttpHeaders (*other_headers)();
  nlohmann::json (*body)(const Model&, const LlmRequest&);
  /// One event of a stream, parsed. Errors inside the stream end up in `Answer::failure`.
  void (*on_event)(const nlohmann::json& data, Answer&);
  /// The whole body of an answer that is no stream.
  void (*on_whole)(const nlohmann::json& body, Answer&);
  /// The variable that usually holds the key.
  const char* usual_key_env;
};

/// Throws BadInput for `replay` and `mailbox`, which speak to no server.
const Protocol& protocol_of(Provider provider);

extern const Protocol openai_chat_protocol;
extern const Protocol openai_completions_protocol;
extern const Protocol anthropic_protocol;
extern const Protocol gemini_protocol;

/// The request as it goes to a transport: body with `extra` merged in, headers with the key and those of the
/// model entry (its variables replaced already), which win over the client's own.
HttpRequest http_request(const Model& model, const LlmRequest& request, const std::string& key);

// For the protocols themselves.

/// The temperature that goes into the body; nothing where it is left to the provider.
std::optional<double> effective_temperature(const Model& model, const LlmRequest& request);
int effective_max_tokens(const Model& model, const LlmRequest& request);
/// What goes along as a seed, in a range that every server takes; nothing where none is sent.
std::optional<std::int64_t> effective_seed(const Model& model, const LlmRequest& request);
/// `path` below `base` (or `usual` where that is empty); a query of `base` comes last, after `query`.
std::string address_below(const std::string& base, const char* usual, const std::string& path,
                          const std::string& query = "");
/// What the largest output is called in the body of an OpenAI-style request.
const char* max_tokens_name(const Model& model);
/// The contents of all system messages, with a blank line between.
std::string system_text(const LlmRequest& request);

}  // namespace ridgeline::llm
