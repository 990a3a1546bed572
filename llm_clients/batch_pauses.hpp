// How long a batch client waits: between two looks at a batch, and for an endpoint that fails. Pure.
#pragma once

#include <optional>

#include "llm_clients/answer.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/retry_policy.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

/// Batches take minutes to a day: looks begin close together and become rare.
class LookPauses {
 public:
  LookPauses(double first, double longest) : next_(first), longest_(longest) {}

  /// Seconds until the next look: half as long again each time, up to the longest.
  double next();

 private:
  double next_;
  double longest_;
};

/// How long an endpoint that fails is asked again. One for all batches of a client.
class BatchPatience {
 public:
  explicit BatchPatience(const Model& model) : patience_(model.patience), retries_(model.retries) {}

  void answered() { since_.reset(); }
  /// The first failure after the last answer.
  const std::optional<TimePoint>& out_since() const { return since_; }

  /// An exchange failed, the `attempt`-th in a row of its kind. The pause is as long as the endpoint has been
  /// out, so that pauses double however many batches ask at once; a server that asks for a longer one gets
  /// it. Given up at once where only somebody's hand can repair it, else when `patience.seconds` would be
  /// over.
  RetryDecision failed(TimePoint now, const Failure& failure, int attempt);

 private:
  Patience patience_;
  Retries retries_;
  std::optional<TimePoint> since_;
};

}  // namespace ridgeline::llm
