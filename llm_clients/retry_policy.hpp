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
  double seconds = 0;            ///< the duration of all attempts together, without the waits between
  TimePoint first;               ///< when the first attempt failed; `now` if this is the first failure
  bool others_answered = false;  ///< the endpoint keeps answering other requests, and not this one
  TimePoint out_since;           ///< the endpoint's first failure after its last answer
};

struct RetryIn {
  double seconds = 0;  ///< from now; may be 0
};
struct GiveUp {
  std::string reason;  ///< the caller appends it to the failure's detail; may be empty
  Fault fault = Fault::request;
};
using RetryDecision = std::variant<RetryIn, GiveUp>;

/// Decides what follows a failed attempt, by `failure.blame`:
/// - request, denied: gives up at once, with Fault::request.
/// - account: gives up at once, with Fault::account.
/// - answer: makes quick attempts, then gives up with Fault::request.
/// - endpoint: makes quick attempts, and later ones until the entry's patience ends. Then it gives up with
///   Fault::endpoint, or with Fault::request if the endpoint answers others meanwhile.
///
/// Quick attempts follow while fewer than `retries.attempts` were made and a tenth of `timeouts.total`, which
/// bounds all of them together, is left. Their waits have "full jitter" (Brooker, "Exponential backoff and
/// jitter", 2015): random · min(retries.cap, retries.base · 2^(attempts − 1)). The wait before a later
/// attempt is 50 to 100 % of min(patience.longest_pause, retries.base · 2^(attempts − 1)). With patience, no
/// wait for the endpoint ends after it.
///
/// If the endpoint is to blame, a wait that it asked for (`failure.wait_s`) is observed in full, plus up to
/// `retries.base` seconds of jitter, so that the requests that it rejected together do not return together.
/// If that wait goes beyond the patience, decide_retry gives up at once, with Fault::endpoint.
///
/// Patience is counted from the endpoint's first failure after its last answer, or from this request's first
/// failure if the endpoint answers others. Without patience (0 s) no later attempts follow, and a wait that
/// the endpoint asked for, if above `retries.longest`, makes decide_retry give up with Fault::endpoint.
/// `random` is uniform in [0, 1).
RetryDecision decide_retry(const Model& model, const Failure& failure, const RetryHistory& history,
                           double random);

/// Returns the seconds of `timeouts.total` that are left for the next attempt, after `attempts` attempts of
/// `seconds` together. Returns all of it once no quick attempt is left: `retries.attempts` are over, or less
/// than a tenth of `timeouts.total` remains.
double seconds_left(const Model& model, int attempts, double seconds);

/// Formats a duration for messages: "3 h 20 min", "12 min" (from 2 min on), "4.5 s".
std::string duration_text(double seconds);

}  // namespace ridgeline::llm
