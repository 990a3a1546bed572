// The request and answer format of each provider, as pure functions over text.
//
// A protocol is a table of functions without state; they accumulate an answer in `Answer`. To add a provider,
// add its name to `Provider` (model.hpp), a file protocol_<provider>.cpp with such a table, its declaration
// below, and a case in `protocol_of` and in factory.cpp.
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
  /// Returns the URL to POST to. An empty base_url means the provider's public address.
  std::string (*url)(const Model&);
  /// Returns the headers that carry `key`, which is not empty.
  HttpHeaders (*key_headers)(const std::string& key);
  /// Returns further headers that the provider requires.
  HttpHeaders (*other_headers)();
  /// Returns the body of a request.
  nlohmann::json (*body)(const Model&, const LlmRequest&);
  /// Adds one event of a stream to the answer. An error sets `Answer::failure`, unless it has finished.
  void (*on_event)(const nlohmann::json& data, Answer&);
  /// Reads the body of an answer that is no stream. An error in it sets `Answer::failure`.
  void (*on_whole)(const nlohmann::json& body, Answer&);
  /// The environment variable that usually holds the key.
  const char* usual_key_env;
};

/// Returns the provider's protocol. Throws BadInput for `replay` and `mailbox`, which have no server.
const Protocol& protocol_of(Provider provider);

extern const Protocol openai_chat_protocol;
extern const Protocol openai_completions_protocol;
extern const Protocol anthropic_protocol;
extern const Protocol gemini_protocol;

/// Builds the request for a transport: the body, then `Model::extra` over it as a JSON merge patch (`null`
/// removes a key). An empty `key` sends no key headers. Headers of the model entry (variables already
/// replaced) override all others, those with the key included.
HttpRequest http_request(const Model& model, const LlmRequest& request, const std::string& key);

// Used by the protocols.

/// Returns the temperature for the body, or nothing to leave it to the provider.
std::optional<double> effective_temperature(const Model& model, const LlmRequest& request);
/// Returns the limit on output of the request, or else of the model entry.
int effective_max_tokens(const Model& model, const LlmRequest& request);
/// Returns the seed for the body, in a range that every server accepts, or nothing to send none.
std::optional<std::int64_t> effective_seed(const Model& model, const LlmRequest& request);
/// Appends `path` to `base` (to `usual` if that is empty). The query of `base` comes last, after `query`.
std::string address_below(const std::string& base, const char* usual, const std::string& path,
                          const std::string& query = "");
/// Returns the key of the limit on output in an OpenAI-style body.
const char* max_tokens_name(const Model& model);
/// Joins the contents of all system messages with blank lines.
std::string system_text(const LlmRequest& request);

}  // namespace ridgeline::llm
