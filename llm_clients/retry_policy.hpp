// Whether a failed attempt is followed by another, when, and whose failure it is if not: pure, fed with
// numbers and time points.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "llm_clients/answer.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

/// What a request has been through when an attempt of it failed.
struct Tries {
  TimePoint now;
  int attempts = 1;              ///< this one included
  double seconds = 0;            ///< that its attempts took together
  TimePoint first;               ///< when the first of them failed; `now` with the first failure
  bool others_answered = false;  ///< the endpoint keeps answering others and not this one
  TimePoint out_since;           ///< the endpoint's first failure after its last answer
};

struct RetryIn {
  double seconds = 0;
};
struct GiveUp {
  std::string reason;  ///< to be added to the failure's detail; empty where that says it all
  Fault fault = Fault::request;
};
using RetryDecision = std::variant<RetryIn, GiveUp>;

/// Quick tries are the first `retries.attempts`, as long as they leave of `timeouts.total`, which bounds all
/// of them together, enough for another. Their waits are "full jitter" (Brooker, "Exponential backoff and
/// jitter", 2015): random · min(cap, base · 2^(attempts − 1)). A server's own wait is honoured whole, with up
/// to `base` seconds of jitter on top so that those it turned away do not come back at once.
///
/// A failure of the endpoint is tried again until the model's patience ends; counted from the endpoint's
/// first failure, or, where it answers others meanwhile, from this request's. `random` is uniform in [0, 1).
RetryDecision decide_retry(const Model& model, const Failure& failure, const Tries& tries, double random);

/// What is left of `timeouts.total` for the next attempt; the whole of it once the quick tries are over.
double seconds_left(const Model& model, int attempts, double seconds);

/// "3 h 20 min", "12 min", "4.5 s": for messages.
std::string duration_text(double seconds);

}  // namespace ridgeline::llm
