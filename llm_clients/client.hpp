// The port through which the engine sends requests to a language model and gets results.
//
// Its implementations are providers over HTTP, recorded answers (`replay`), and a folder that a person or
// another program answers (`mailbox`). A failure is a result with a status and a reason; nothing here throws
// after construction. Only `make_client` (factory.hpp) makes a client.
//
// Threads: an LlmClient belongs to the single thread that runs its io_context. Call `complete` on that
// thread, or before it runs. Callbacks arrive on it too, never from inside `complete`.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::llm {

struct Message {
  std::string role;  ///< "system", "user" or "assistant"
  std::string content;
  /// How many bytes at the beginning of `content` later requests are likely to repeat. Sets a cache mark at
  /// providers that cache prefixes (Anthropic). It changes no byte of the text and is not compared.
  std::size_t stable_bytes = 0;

  bool operator==(const Message& other) const { return role == other.role && content == other.content; }
};

/// The cost of a call, or an upper bound of it.
struct Cost {
  std::int64_t tokens = 0;  ///< input and output together
  double usd = 0;

  bool operator==(const Cost&) const = default;
};

struct FailedAttempt;

struct LlmRequest {
  std::string model;  ///< name of the entry in the campaign's `models:`; for information only
  std::vector<Message> messages;
  double temperature = -1;    ///< negative: the model entry's, or the provider's default if that has none
  int max_output_tokens = 0;  ///< 0: the model entry's
  std::string address;        ///< "task/strategy/seed/step/slot" (address.hpp); replay and mailbox look it up
  std::string request_hash;   ///< the journal's; replay reports if it differs from the recorded one
  /// Differs between the slots of a batch, so that a caching router does not answer n requests with one text.
  /// Sent if the provider takes a seed and the model entry does not forbid it.
  std::optional<std::uint64_t> seed;
  /// Called at once for each attempt that brought no result, on the client's thread. Returns whether another
  /// attempt may be paid for; if not, that attempt becomes the result, with its own status and the fault
  /// `request`. May call the client, and must not destroy it. If empty, every attempt may be paid for.
  std::function<bool(const FailedAttempt&)> on_failed_attempt;
};

/// Token counts as the provider reports them, with one meaning for all providers: input includes cached
/// tokens, output includes reasoning. All zero and `reported` false if the provider reported none.
struct Usage {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t cached_input_tokens = 0;  ///< part of input_tokens: the provider read them from its cache
  std::int64_t cache_write_tokens = 0;   ///< part of input_tokens: the provider wrote them to its cache
  std::int64_t reasoning_tokens = 0;     ///< part of output_tokens
  bool reported = false;

  bool operator==(const Usage&) const = default;
};

enum class LlmStatus {
  answered,
  truncated,          ///< ended by length; `text` holds the part before
  refused,            ///< the provider's content filter, or the model's refusal
  bad_request,        ///< 400, 413, 422: sending the same again cannot succeed
  context_exceeded,   ///< the prompt is longer than the model's context: a shorter one may succeed
  empty,              ///< an answer without text, or one that the provider itself calls broken
  unauthorized,       ///< 401, 402, 403: the key, or the account's credit
  not_found,          ///< 404, or a redirect: the address or the model's id
  rate_limited,       ///< 429
  overloaded,         ///< 503, 529
  server_error,       ///< any other 5xx, 409, 425
  timed_out,          ///< connect, first byte, between bytes or total; `detail` says which
  connection_failed,  ///< no connection, TLS refused, or closed before the answer's end
  malformed,          ///< the answer violates the protocol
  missing_recording,  ///< replay: no answer is recorded at this address
  cancelled,          ///< by `cancel`, `stop_sending` or the client's end; fault `endpoint`
};

constexpr auto enum_names(LlmStatus) {
  return std::to_array<Name<LlmStatus>>({
      {LlmStatus::answered, "answered"},
      {LlmStatus::truncated, "truncated"},
      {LlmStatus::refused, "refused"},
      {LlmStatus::bad_request, "bad_request"},
      {LlmStatus::context_exceeded, "context_exceeded"},
      {LlmStatus::empty, "empty"},
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

/// Who is to blame for a failed request, which decides what the caller does.
enum class Fault {
  none,      ///< answered or truncated
  request,   ///< this request: sending it again would give the same result
  endpoint,  ///< the endpoint failed for longer than the entry's patience: send it again later
  account,   ///< a refused key, an empty account, an unknown model: every request fails alike until a person
             ///< repairs it
};

constexpr auto enum_names(Fault) {
  return std::to_array<Name<Fault>>({{Fault::none, "none"},
                                     {Fault::request, "request"},
                                     {Fault::endpoint, "endpoint"},
                                     {Fault::account, "account"}});
}

/// An attempt that brought no result. Another attempt may follow.
struct FailedAttempt {
  int number = 0;  ///< the attempt's number within its request, from 1
  LlmStatus status = LlmStatus::connection_failed;
  std::string detail;    ///< as in LlmResult
  std::string model_id;  ///< as in LlmResult
  std::string endpoint;  ///< as in LlmResult
  Usage usage;           ///< as far as the provider reported it
  double usd = 0;        ///< `usage` at the model entry's prices
  Cost unsettled;        ///< upper bound of the cost beyond `usage`; it broke off before its usage was final
  std::string raw_response;
  double seconds = 0;
};

/// Reports that requests began to wait for an endpoint, that it is probed again, or that it answers again.
/// Each model entry with requests for the endpoint reports for itself.
struct EndpointState {
  std::string model;  ///< the entry's name
  std::string host;   ///< "api.example.com"
  bool waiting = false;
  std::chrono::system_clock::time_point since;  ///< the first failure after the last answer
  std::string why;                              ///< in a word or two: "503", "connection refused"
  std::chrono::system_clock::time_point
      next_probe;  ///< when the next probe goes; the present: one is under way
};
using OnEndpoint = std::function<void(const EndpointState&)>;

/// The result of a request. No field holds the API key, whatever the server echoed. `text`, `reasoning` and
/// `detail` are valid UTF-8; the raw texts are bytes as received.
struct LlmResult {
  LlmStatus status = LlmStatus::answered;
  Fault fault = Fault::none;
  /// Says what failed, where, and how to fix it. Empty if answered, unless the reported usage is impossible.
  std::string detail;
  std::string text;
  std::string reasoning;
  std::string finish_reason;  ///< the provider's own word
  /// The usage of the attempt that is the result. The cost of an attempt is reported once, here or through
  /// `on_failed_attempt`. It is all zero here for the faults `endpoint` and `account`, whose attempts were
  /// all reported there, and if `on_failed_attempt` forbade another attempt.
  Usage usage;
  double usd = 0;              ///< `usage` at the model entry's prices; 0 if it names none
  Cost unsettled;              ///< upper bound of that attempt's cost beyond `usage`
  std::string provider_model;  ///< the model that the provider says it ran
  std::string model_id;        ///< the model that was requested: the entry's id
  std::string endpoint;        ///< the URL of the request: scheme, host, port and path, no query
  std::string raw_request;     ///< the body of the last attempt; never a header
  std::string raw_response;    ///< the response body of the last attempt, as far as it came
  double seconds = 0;          ///< wall time of the last attempt, without queueing and waiting
  int attempts = 0;            ///< how often the request was sent
  bool diverged = false;       ///< replay: the prompt differs from the recorded one

  /// Whether there is a text to read, complete or cut off by length.
  bool ok() const { return status == LlmStatus::answered || status == LlmStatus::truncated; }
};

using Completion = std::function<void(LlmResult)>;

/// Every `complete` gets exactly one callback. Destroying the client cancels all pending requests: it posts
/// their callbacks with the status `cancelled`, and they run when the io_context next does. A callback must
/// therefore own what it touches (or hold weak pointers) and must not use the client.
class LlmClient {
 public:
  LlmClient() = default;
  LlmClient(const LlmClient&) = delete;  // callbacks in flight hold a pointer to it
  LlmClient& operator=(const LlmClient&) = delete;
  virtual ~LlmClient();

  virtual void complete(LlmRequest request, Completion done) = 0;

  /// Cancels the request of that address, which comes back `cancelled`. If it is under way, its connection is
  /// closed and `unsettled` bounds its cost; `attempts` is 0 if it was never sent. Does nothing if the
  /// request has ended already.
  virtual void cancel(const std::string& /*address*/) {}

  /// Sends nothing from now on, for a campaign that pauses. Requests that wait, and later ones, come back
  /// `cancelled`; those under way go on to their end, without another attempt.
  virtual void stop_sending() {}
};

}  // namespace ridgeline::llm
