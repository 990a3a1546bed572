// The port through which the engine asks a language model, and what comes back.
//
// Every kind of model stands behind it: providers over HTTP, recorded answers (`replay`), and a folder that
// a person or another program answers (`mailbox`). A failure is a result with a status and a reason; nothing
// here throws after construction. Only `make_client` (factory.hpp) makes one.
//
// Threads: an LlmClient belongs to the single thread that runs its io_context. Call `complete` on that
// thread, or before it runs. Callbacks arrive on it too, never from inside `complete`.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::llm {

struct Message {
  std::string role;  ///< "system", "user" or "assistant"
  std::string content;

  bool operator==(const Message&) const = default;
};

struct LlmRequest {
  std::string model;  ///< name of the entry in the campaign's `models:`; informative here
  std::vector<Message> messages;
  double temperature = -1;    ///< negative: the model entry's own, or the provider's where it names none
  int max_output_tokens = 0;  ///< 0: the model entry's own
  std::string address;  ///< "task/strategy/seed/step/slot", see address.hpp; replay and mailbox look here
  std::string request_hash;  ///< the journal's; replay reports where it differs from the recorded one
};

/// As the provider reports it, brought to one meaning: input includes what was cached, output includes
/// reasoning. All zero and `reported` false where the provider said nothing.
struct Usage {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t cached_input_tokens = 0;  ///< part of input_tokens
  std::int64_t reasoning_tokens = 0;     ///< part of output_tokens
  bool reported = false;

  bool operator==(const Usage&) const = default;
};

enum class LlmStatus {
  answered,
  truncated,          ///< ended by length; `text` is what there was
  refused,            ///< the provider's content filter, or the model's refusal
  bad_request,        ///< 400, 413, 422: sending the same again cannot succeed
  unauthorized,       ///< 401, 402, 403: the key
  not_found,          ///< 404, or a redirect: the address or the model's id
  rate_limited,       ///< 429
  overloaded,         ///< 503, 529
  server_error,       ///< any other 5xx
  timed_out,          ///< connect, first byte, between bytes or total; `detail` says which
  connection_failed,  ///< no connection, TLS refused, or closed before the answer's end
  malformed,          ///< an answer that is not what the protocol says
  missing_recording,  ///< replay: nothing recorded at this address
  cancelled,          ///< the client was destroyed first
};

constexpr auto enum_names(LlmStatus) {
  return std::to_array<Name<LlmStatus>>({
      {LlmStatus::answered, "answered"},
      {LlmStatus::truncated, "truncated"},
      {LlmStatus::refused, "refused"},
      {LlmStatus::bad_request, "bad_request"},
      {LlmStatus::unauthorized, "unauthorized"},
      {LlmStatus::not_found, "not_found"},
      {LlmStatus::rate_limited, "rate_limited"},
      {LlmStatus::overloaded, "overloaded"},
      {LlmStatus::server_error, "server_error"},
      {LlmStatus::timed_out, "timed_out"},
      {LlmStatus::connection_failed, "connection_failed"},
      {LlmStatus::malformed, "malformed"},
      {LlmStatus::missing_recording, "missing_recording"},
      {LlmStatus::cancelled, "cancelled"},
  });
}

/// No field holds the API key, whatever the other side echoed. `text`, `reasoning` and `detail` are valid
/// UTF-8; the raw texts are bytes as they came.
struct LlmResult {
  LlmStatus status = LlmStatus::answered;
  std::string detail;  ///< what went wrong, where, and the mend; empty when answered
  std::string text;
  std::string reasoning;
  std::string finish_reason;  ///< the provider's own word
  Usage usage;
  double usd = 0;              ///< `usage` at the model entry's prices; 0 where it names none
  std::string provider_model;  ///< what the provider says it ran
  std::string raw_request;     ///< the body of the last attempt; never a header
  std::string raw_response;    ///< the body of the last attempt, as far as it came
  double seconds = 0;          ///< wall time of the last attempt, queueing and waiting excluded
  int attempts = 0;            ///< how often it was sent
  bool diverged = false;       ///< replay: the prompt differs from the recorded one

  /// There is a text to read, whole or cut off by length.
  bool ok() const { return status == LlmStatus::answered || status == LlmStatus::truncated; }
};

using Completion = std::function<void(LlmResult)>;

/// Every `complete` gets exactly one callback. Destroying the client cancels what is pending: those callbacks
/// are posted with the status `cancelled` and run when the io_context next does (they are dropped if it never
/// does), so a callback must own or watch what it touches and must not reach for the client.
class LlmClient {
 public:
  LlmClient() = default;
  LlmClient(const LlmClient&) = delete;  // callbacks in flight know it by address
  LlmClient& operator=(const LlmClient&) = delete;
  virtual ~LlmClient();

  virtual void complete(LlmRequest request, Completion done) = 0;
};

}  // namespace ridgeline::llm
