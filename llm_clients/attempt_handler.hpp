// Handles the end of an attempt: decides whether its request is done or retried and when, and records in the
// target and the endpoint what the attempt says about them. Does no I/O; the client acts on the decision.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "llm_clients/answer.hpp"
#include "llm_clients/retry_policy.hpp"
#include "llm_clients/targets.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

/// The attempts of one request so far.
struct AttemptState {
  int attempts = 0;
  double seconds = 0;  ///< the duration of all attempts together
  std::optional<TimePoint> first_failure, last_failure;
  int failures_while_others_answered =
      0;  ///< failures in a row; between each two, the endpoint answered another request

  // The attempt that is under way or has just ended:
  TimePoint sent;
  Target* target = nullptr;                                   ///< owned by Targets
  CircuitBreaker::Probe probe = CircuitBreaker::Probe::none;  ///< which of the breaker's the attempt is
  std::string key;                                            ///< the key that the attempt carries
  SentParts parts;
};

class AttemptHandler {
 public:
  /// All references must outlive the handler. `random` returns numbers uniform in [0, 1).
  AttemptHandler(const Model& model, Targets& targets, Timers& timers, const std::function<double()>& random)
      : model_(model), targets_(targets), timers_(timers), random_(random) {}

  /// Returns nothing if the attempt succeeded, else what follows. Sets `answer.failure` if the answer is
  /// empty, and replaces the blame `denied` by `request` or `account`.
  std::optional<RetryDecision> handle(AttemptState& state, Answer& answer);

  /// Records that the endpoint of `target` failed.
  void endpoint_failed(Target& target, const Failure& failure, CircuitBreaker::Probe probe);

 private:
  bool can_resend_at_once(const AttemptState& state, const Failure& failure);
  RetryDecision next_step(AttemptState& state, Failure failure);

  const Model& model_;
  Targets& targets_;
  Timers& timers_;
  const std::function<double()>& random_;
};

}  // namespace ridgeline::llm
