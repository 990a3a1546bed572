// One entry of a campaign's `models:` map: where a model is, how it is asked, what it costs.
//
// Plain data with defaults. The campaign's strict reader fills it; `make_client` reads it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::llm {

enum class Provider { openai_chat, openai_completions, anthropic, gemini, replay, mailbox };

constexpr auto enum_names(Provider) {
  return std::to_array<Name<Provider>>({
      {Provider::openai_chat, "openai_chat"},
      {Provider::openai_completions, "openai_completions"},
      {Provider::anthropic, "anthropic"},
      {Provider::gemini, "gemini"},
      {Provider::replay, "replay"},
      {Provider::mailbox, "mailbox"},
  });
}

/// How messages become one prompt for plain completions. `plain` joins the contents with a blank line.
enum class PromptFormat { plain, chatml, llama3, mistral };

constexpr auto enum_names(PromptFormat) {
  return std::to_array<Name<PromptFormat>>({
      {PromptFormat::plain, "plain"},
      {PromptFormat::chatml, "chatml"},
      {PromptFormat::llama3, "llama3"},
      {PromptFormat::mistral, "mistral"},
  });
}

/// What the largest output is called in the body. `automatic`: as the server is known to want it, and
/// `max_completion_tokens` from its first complaint on.
enum class MaxTokensField { automatic, max_tokens, max_completion_tokens };

constexpr auto enum_names(MaxTokensField) {
  return std::to_array<Name<MaxTokensField>>({
      {MaxTokensField::automatic, "automatic"},
      {MaxTokensField::max_tokens, "max_tokens"},
      {MaxTokensField::max_completion_tokens, "max_completion_tokens"},
  });
}

/// USD for a million tokens.
struct Prices {
  double input = 0;
  std::optional<double> cached_input;  ///< unset: as `input`
  std::optional<double> cache_write;   ///< unset: as `input`
  double output = 0;                   ///< reasoning tokens are output
};

/// 0 is no limit. Requests over a limit wait in order; none is dropped.
struct Limits {
  int requests_per_minute = 0;
  int tokens_per_minute = 0;  ///< input and output together
  int concurrency = 8;
};

/// Seconds. Without streaming the first byte comes with the whole answer: give `first_byte` the time for it.
struct Timeouts {
  double connect = 15;  ///< name, TCP, proxy and TLS together
  double first_byte = 300;
  double between_bytes = 120;
  double total = 1800;  ///< all quick tries of a request together
  double drain = 1;  ///< after the last event, for the end of the body, so that the connection can be reused
  double error_body = 5;  ///< for the words that come with an error status
};

/// Waits are drawn between 0 and min(cap, base · 2^(attempt − 1)); what the server asks for is honoured
/// whole: without patience up to `longest`, beyond which the call fails at once.
struct Retries {
  int attempts = 5;      ///< quick tries, the first included
  double base = 1;       ///< seconds
  double cap = 60;       ///< seconds
  double longest = 600;  ///< seconds; a server that asks for more is not waited for
};

/// How long an endpoint that fails is waited for before the campaign pauses. Probes are spaced by pauses that
/// double from `retries.base` up to `longest_pause`.
struct Patience {
  double seconds = 6 * 3600;   ///< since its first failure after its last answer; 0: only quick tries
  double longest_pause = 900;  ///< seconds between two probes
};

/// An address, and where its key lies.
struct ModelEndpoint {
  std::string base_url;      ///< empty: the provider's public one; openai_* take any server with that API
  std::string api_key_env;   ///< name of a variable; empty: the provider's usual one
  std::string api_key_file;  ///< a file that holds the key and nothing else; wins over the variable
};

struct Model {
  std::string name;  ///< the key of the entry
  Provider provider = Provider::openai_chat;
  std::string id;            ///< the provider's own name of the model
  std::string base_url;      ///< empty: the provider's public one; openai_* take any server with that API
  std::string api_key_env;   ///< name of a variable; empty: the provider's usual one
  std::string api_key_file;  ///< a file that holds the key and nothing else; wins over the variable
  std::optional<double> temperature;  ///< where a request names none; unset: left to the provider
  int max_output_tokens = 16384;
  Prices prices;
  Limits limits;
  Timeouts timeouts;
  Retries retries;
  Patience patience;
  bool send_seed = true;  ///< `seed`: a seed for each slot goes along where the provider takes one
  std::string extra;  ///< a JSON object merged into the body (RFC 7386: `null` takes a key out); empty: none
  bool stream = true;
  bool batch = false;       ///< through the provider's batch endpoint: half the price, within a day
  double batch_window = 2;  ///< seconds without a new request after which a batch is sent
  bool cache = true;        ///< anthropic: what requests share at their beginning is marked to be cached
  MaxTokensField max_tokens_field = MaxTokensField::automatic;  ///< openai_* only
  /// Sent along. A value is a secret: "${NAME}" in it stands for the variable, and none is ever kept.
  std::vector<std::pair<std::string, std::string>> headers;
  /// Tried in order while one is out or refuses its key; in place of base_url and api_key_*. Empty: those.
  std::vector<ModelEndpoint> endpoints;
  std::vector<std::string> key_command;  ///< program and arguments that print the key; empty: none
  double key_refresh = 0;                ///< seconds after which it is asked anew; 0: when it is refused
  std::string path;                      ///< replay: the recording; mailbox: the folder
  PromptFormat prompt_format = PromptFormat::plain;  ///< openai_completions only
};

}  // namespace ridgeline::llm
