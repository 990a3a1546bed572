// Decides whether another attempt follows a failed one and when, and who is to blame if none does. Does no
// I/O; the caller passes numbers and time points.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "llm_clients/answer.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

/// The attempts of a request at the time when one of them failed.
struct RetryHistory {
  TimePoint now;
  int attempts = 1;              ///< including the failed one
  double seconds = 0;            ///< the duration of all attempts together
  TimePoint first;               ///< when the first attempt failed; `now` if this is the first failure
  bool others_answered = false;  ///< the endpoint keeps answering other requests, and not this one
  TimePoint out_since;           ///< the endpoint's first failure after its last answer
};

struct RetryIn {
  double seconds = 0;
};
struct GiveUp {
  std::string reason;  ///< the caller appends it to the failure's detail; may be empty
  Fault fault = Fault::request;
};
using RetryDecision = std::variant<RetryIn, GiveUp>;

/// Decides what follows a failed attempt. The first `retries.attempts` attempts follow each other quickly, as
/// long as `timeouts.total`, which bounds all of them together, leaves enough for another. Their waits have
/// "full jitter" (Brooker, "Exponential backoff and jitter", 2015): random · min(cap, base · 2^(attempts −
/// 1)). A server's own wait is observed in full, plus up to `base` seconds of jitter, so that the requests
/// that it rejected together do not return together.
///
/// After a failure of the endpoint, attempts go on until the entry's patience ends. It is counted from the
/// endpoint's first failure, or from this request's first failure if the endpoint answers others meanwhile.
/// `random` is uniform in [0, 1).
RetryDecision decide_retry(const Model& model, const Failure& failure, const RetryHistory& history,
                           double random);

/// Returns the seconds of `timeouts.total` that are left for the next attempt; all of it once the first
/// `retries.attempts` attempts are over.
double seconds_left(const Model& model, int attempts, double seconds);

/// Formats a duration for messages: "3 h 20 min", "12 min", "4.5 s".
std::string duration_text(double seconds);

}  // namespace ridgeline::llm
