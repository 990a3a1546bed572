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
  /// How much of the beginning of `content` later requests are likely to repeat: a provider that keeps
  /// prefixes is told so. It alters no byte of the text, and is no part of what a message is.
  std::size_t stable_bytes = 0;

  bool operator==(const Message& other) const { return role == other.role && content == other.content; }
};

/// What a call costs, or may cost at most.
struct Cost {
  std::int64_t tokens = 0;  ///< input and output together
  double usd = 0;

  bool operator==(const Cost&) const = default;
};

struct FailedAttempt;

struct LlmRequest {
  std::string model;  ///< name of the entry in the campaign's `models:`; informative here
  std::vector<Message> messages;
  double temperature = -1;    ///< negative: the model entry's own, or the provider's where it names none
  int max_output_tokens = 0;  ///< 0: the model entry's own
  std::string address;  ///< "task/strategy/seed/step/slot", see address.hpp; replay and mailbox look here
  std::string request_hash;  ///< the journal's; replay reports where it differs from the recorded one
  /// Differs between the slots of a batch, so that a caching router does not answer n requests with one text.
  /// Sent where the provider takes a seed and the model entry does not forbid it.
  std::optional<std::uint64_t> seed;
  /// Called for each attempt that brought no result, at once, on the client's thread. Returns whether another
  /// attempt may be paid for; if not, that attempt is the result, with its own status and the fault
  /// `request`. May call the client, and must not destroy it. Empty: always.
  std::function<bool(const FailedAttempt&)> on_failed_attempt;
};

/// As the provider reports it, brought to one meaning: input includes what was cached, output includes
/// reasoning. All zero and `reported` false where the provider said nothing.
struct Usage {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t cached_input_tokens = 0;  ///< part of input_tokens: read from the provider's cache
  std::int64_t cache_write_tokens = 0;   ///< part of input_tokens: written to it
  std::int64_t reasoning_tokens = 0;     ///< part of output_tokens
  bool reported = false;

  bool operator==(const Usage&) const = default;
};

enum class LlmStatus {
  answered,
  truncated,          ///< ended by length; `text` is what there was
  refused,            ///< the provider's content filter, or the model's refusal
  bad_request,        ///< 400, 413, 422: sending the same again cannot succeed
  context_exceeded,   ///< the prompt is longer than the model takes: a shorter one may succeed
  empty,              ///< an answer without text, or one that the provider itself calls broken
  unauthorized,       ///< 401, 402, 403: the key, or what the account may still spend
  not_found,          ///< 404, or a redirect: the address or the model's id
  rate_limited,       ///< 429
  overloaded,         ///< 503, 529
  server_error,       ///< any other 5xx, 409, 425
  timed_out,          ///< connect, first byte, between bytes or total; `detail` says which
  connection_failed,  ///< no connection, TLS refused, or closed before the answer's end
  malformed,          ///< an answer that is not what the protocol says
  missing_recording,  ///< replay: nothing recorded at this address
  cancelled,          ///< given up, the client was destroyed first, or may send nothing; fault `endpoint`
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

/// Whose failure it is, and so what the caller does about it.
enum class Fault {
  none,      ///< answered or truncated
  request,   ///< this request's own: it is the result, and asking the same again would not change it
  endpoint,  ///< the endpoint was out for longer than the model's patience: ask again later
  account,   ///< a refused key, an empty account, a model that is not there: every request fails alike until
             ///< somebody repairs it
};

constexpr auto enum_names(Fault) {
  return std::to_array<Name<Fault>>({{Fault::none, "none"},
                                     {Fault::request, "request"},
                                     {Fault::endpoint, "endpoint"},
                                     {Fault::account, "account"}});
}

/// An attempt that brought no result. Another one may follow.
struct FailedAttempt {
  int number = 0;  ///< of the request, from 1
  LlmStatus status = LlmStatus::connection_failed;
  std::string detail;    ///< as LlmResult's
  std::string model_id;  ///< as LlmResult's
  std::string endpoint;  ///< as LlmResult's
  Usage usage;           ///< as far as the provider reported it
  double usd = 0;        ///< `usage` at the model entry's prices
  Cost unsettled;        ///< at most what it may have cost beyond `usage`: it broke off unreported
  std::string raw_response;
  double seconds = 0;
};

/// An endpoint began to be waited for, is probed anew, or answers again. Told for each entry that has
/// requests for it.
struct EndpointState {
  std::string model;  ///< the entry's name
  std::string host;   ///< "api.example.com"
  bool waiting = false;
  std::chrono::system_clock::time_point since;       ///< of its first failure after the last answer
  std::string why;                                   ///< in a word or two: "503", "connection refused"
  std::chrono::system_clock::time_point next_probe;  ///< when it is asked again; now: it is being asked
};
using OnEndpoint = std::function<void(const EndpointState&)>;

/// No field holds the API key, whatever the other side echoed. `text`, `reasoning` and `detail` are valid
/// UTF-8; the raw texts are bytes as they came.
struct LlmResult {
  LlmStatus status = LlmStatus::answered;
  Fault fault = Fault::none;
  /// What went wrong, where, and the fix; when answered, empty unless the provider's usage cannot be right.
  std::string detail;
  std::string text;
  std::string reasoning;
  std::string finish_reason;  ///< the provider's own word
  /// Of the attempt that is the result. What an attempt cost is told once, here or through
  /// `on_failed_attempt`: all zero for the faults `endpoint` and `account`, whose attempts, the last one too,
  /// were told there, and where that said that no other may be paid for.
  Usage usage;
  double usd = 0;              ///< `usage` at the model entry's prices; 0 where it names none
  Cost unsettled;              ///< at most what that attempt may have cost beyond `usage`
  std::string provider_model;  ///< what the provider says it ran
  std::string model_id;        ///< what it was asked for: the entry's id
  std::string endpoint;        ///< where it was asked: scheme, host, port and path, no query
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

  /// Gives up the request of that address: it comes back `cancelled`. One that is under way is broken off,
  /// and `unsettled` says what it may have cost; `attempts` is 0 if it was never sent. One that has ended
  /// already brings what it brought.
  virtual void cancel(const std::string& /*address*/) {}

  /// From now on nothing is sent: requests that wait, and later ones, come back `cancelled`; those under way
  /// go on to their end, without another attempt. For a campaign that pauses.
  virtual void stop_sending() {}
};

}  // namespace ridgeline::llm
