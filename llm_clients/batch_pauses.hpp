// Computes how long a batch client waits between two polls of a batch, and for an endpoint that fails. Does
// no I/O.
#pragma once

#include <optional>

#include "llm_clients/answer.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/retry_policy.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

/// The pauses between polls of one batch. Batches take minutes to a day, so polls start close together and
/// become rare.
class PollPauses {
 public:
  /// Both in seconds.
  PollPauses(double first, double longest) : next_(first), longest_(longest) {}

  /// Returns the seconds until the next poll: 1.5 times the last pause, up to `longest`.
  double next();

 private:
  double next_;
  double longest_;
};

/// Decides how long requests to a failing endpoint are repeated. All batches of a client share one.
class BatchPatience {
 public:
  explicit BatchPatience(const Model& model) : patience_(model.patience), retries_(model.retries) {}

  /// Records an answer of the endpoint, which ends an outage.
  void answered() { since_.reset(); }
  /// Returns the time of the first failure after the last answer.
  const std::optional<TimePoint>& out_since() const { return since_; }

  /// Records a failed exchange, the `attempt`-th in a row of its kind, and decides. The pause is as long as
  /// the endpoint has been out, so that pauses double however many batches retry at once; the server may ask
  /// for a longer one. Gives up at once if only a person can repair the cause, else when `patience.seconds`
  /// would run out.
  RetryDecision failed(TimePoint now, const Failure& failure, int attempt);

 private:
  Patience patience_;
  Retries retries_;
  std::optional<TimePoint> since_;
};

}  // namespace ridgeline::llm
