// One entry of a campaign's `models:` map: the address of a model, how requests are made, and prices.
//
// Plain data with defaults, which docs/models.md documents. The campaign's strict reader fills it;
// `make_client` reads it.
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

/// The name of the limit on output in the body. `automatic`: the name that the server is known to want, and
/// `max_completion_tokens` once it has complained.
enum class MaxTokensField { automatic, max_tokens, max_completion_tokens };

constexpr auto enum_names(MaxTokensField) {
  return std::to_array<Name<MaxTokensField>>({
      {MaxTokensField::automatic, "automatic"},
      {MaxTokensField::max_tokens, "max_tokens"},
      {MaxTokensField::max_completion_tokens, "max_completion_tokens"},
  });
}

/// Prices in USD per million tokens.
struct Prices {
  double input = 0;
  std::optional<double> cached_input;  ///< unset: as `input`
  std::optional<double> cache_write;   ///< unset: as `input`
  double output = 0;                   ///< reasoning tokens are output
};

/// Limits on one entry's requests; 0 is no limit. Requests over a limit wait in order; none is dropped.
struct Limits {
  int requests_per_minute = 0;
  int tokens_per_minute = 0;  ///< input and output together
  int concurrency = 8;
};

/// Time limits in seconds. Without streaming, the first byte comes with the whole answer, so `first_byte`
/// must allow for all of it.
struct Timeouts {
  double connect = 15;  ///< name look-up, TCP, proxy and TLS together
  double first_byte = 300;
  double between_bytes = 120;
  double total = 1800;  ///< the first `retries.attempts` attempts of a request together; each later one alone
  double drain = 1;     ///< streaming: from the last event to the end of the body; then it can be reused
  double error_body = 5;  ///< for the body of an error status
};

/// Attempts in quick succession, before the wait for the endpoint (Patience) begins. Waits are drawn between
/// 0 and min(cap, base · 2^(attempt − 1)). The server's own wait is observed in full; without patience a wait
/// longer than `longest` fails the call at once.
struct Retries {
  int attempts = 5;      ///< including the first
  double base = 1;       ///< seconds
  double cap = 60;       ///< seconds
  double longest = 600;  ///< seconds; only used without patience
};

/// How long requests wait for a failing endpoint before the campaign pauses. Meanwhile single probes go,
/// after pauses that double from `retries.base` up to `longest_pause`.
struct Patience {
  double seconds = 6 * 3600;   ///< since the endpoint's first failure after its last answer; 0: no wait
  double longest_pause = 900;  ///< seconds between two probes
};

/// One address of a model and the source of its key.
struct ModelEndpoint {
  std::string base_url;      ///< empty: the provider's public one; openai_* accept any server with that API
  std::string api_key_env;   ///< name of a variable; empty: the provider's usual one
  std::string api_key_file;  ///< path of a file with nothing but the key; preferred to the variable
};

struct Model {
  std::string name;  ///< the key of the entry
  Provider provider = Provider::openai_chat;
  std::string id;            ///< the provider's own name of the model
  std::string base_url;      ///< empty: the provider's public one; openai_* accept any server with that API
  std::string api_key_env;   ///< name of a variable; empty: the provider's usual one
  std::string api_key_file;  ///< path of a file with nothing but the key; preferred to the variable
  std::optional<double> temperature;  ///< for requests without their own; unset: the provider's default
  int max_output_tokens = 16384;
  Prices prices;
  Limits limits;
  Timeouts timeouts;
  Retries retries;
  Patience patience;
  bool send_seed = true;  ///< YAML `seed`: send a seed for each slot if the provider takes one
  std::string extra;  ///< a JSON object merged into the body (RFC 7386: `null` removes a key); empty: none
  bool stream = true;
  bool batch = false;       ///< use the provider's batch endpoint: half the price, within a day
  double batch_window = 2;  ///< seconds without a new request after which a batch is sent
  bool cache = true;        ///< anthropic only: mark the common beginning of requests for caching
  MaxTokensField max_tokens_field = MaxTokensField::automatic;  ///< openai_* only
  /// Additional headers. "${NAME}" in a value stands for the variable. Values are secrets, never stored.
  std::vector<std::pair<std::string, std::string>> headers;
  /// If this list has entries, they stand in place of base_url and api_key_*, also where a field of theirs is
  /// empty. They are tried in order: the next one is used while the earlier ones fail or refuse their keys.
  std::vector<ModelEndpoint> endpoints;
  std::vector<std::string> key_command;  ///< program and arguments that print the key; empty: none
  double key_refresh = 0;  ///< seconds after which the command runs again; 0: only after a refusal of the key
  std::string path;        ///< replay: the recording's file; mailbox: the folder
  PromptFormat prompt_format = PromptFormat::plain;  ///< openai_completions only
};

}  // namespace ridgeline::llm
