// Computes the waits of a batch client, which sends many requests as one batch and asks ("polls") until the
// provider has answered them all: the pause between two polls, and the pause after a failure. Does no I/O.
#pragma once

#include <optional>

#include "llm_clients/answer.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/retry_policy.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

/// Computes the pauses between polls of one batch. A batch takes minutes to a day, so polls start close
/// together and become rare.
class PollPauses {
 public:
  /// `first` and `longest` pause, in seconds. If `first` is more than `longest`, all pauses are `longest`.
  PollPauses(double first, double longest) : next_(first), longest_(longest) {}

  /// Returns the seconds until the next poll: `first` at the first call, then 1.5 times the pause before;
  /// never more than `longest`.
  double next();

 private:
  double next_;
  double longest_;
};

/// Decides whether a failed step of a batch is repeated, and when. All batches of a client share one object,
/// so that they wait for one endpoint together. A client has a second object for batches that the provider
/// refuses because too much is queued.
class BatchPatience {
 public:
  explicit BatchPatience(const Model& model) : patience_(model.patience), retries_(model.retries) {}

  /// Records an answer of the endpoint, which ends an outage.
  void answered() { since_.reset(); }
  /// Returns the time of the first failure since the last answer, or since `failed` last gave up with
  /// Fault::endpoint; nothing if there was none since.
  const std::optional<TimePoint>& out_since() const { return since_; }

  /// Records a failure and decides what follows. `attempt`: how often in a row this step has failed, counted
  /// by the caller from 1.
  ///
  /// Gives up at once, with Fault::account, unless the endpoint or the answer is to blame: only a person can
  /// repair a key or an address. `out_since` stays as it is then.
  ///
  /// Otherwise the pause is the time since the first failure, so that pauses double however many batches fail
  /// at once. It is at least `retries.base` and 0.05 s, also at the first failure, and at most
  /// `patience.longest_pause`; but the server may ask for a longer one. Gives up, with Fault::endpoint, if
  /// the pause would end more than `patience.seconds` after the first failure. Without patience (0 seconds)
  /// it does so after `retries.attempts` attempts, or if the pause would be longer than `retries.longest`.
  RetryDecision failed(TimePoint now, const Failure& failure, int attempt);

 private:
  Patience patience_;
  Retries retries_;
  std::optional<TimePoint> since_;  ///< out_since()
};

}  // namespace ridgeline::llm
