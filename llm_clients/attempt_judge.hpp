// What an attempt that has ended means: for its request (done, or tried again when), for its target and for
// the endpoint. No I/O; the client acts on it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "llm_clients/answer.hpp"
#include "llm_clients/retry_policy.hpp"
#include "llm_clients/targets.hpp"
#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

/// The attempts of one request; the last lines are of the one that is under way or has just ended.
struct AttemptState {
  int attempts = 0;
  double seconds = 0;  ///< of all of them together
  std::optional<TimePoint> first_failure, last_failure;
  int passed_over = 0;  ///< failures in a row of which each came after others had been answered meanwhile

  TimePoint sent;
  Target* target = nullptr;
  bool probe = false;
  std::string key;
  SentParts parts;
};

class AttemptJudge {
 public:
  /// All references must outlive it. `random` is uniform in [0, 1).
  AttemptJudge(const Model& model, Targets& targets, Timers& timers, const std::function<double()>& random)
      : model_(model), targets_(targets), timers_(timers), random_(random) {}

  /// Nothing where the answer is one; else what follows. `answer.failure` is set for an answer that is empty,
  /// and its blame settled.
  std::optional<RetryDecision> judge(AttemptState& state, Answer& answer);

  /// The endpoint did not answer `target`.
  void endpoint_failed(Target& target, const Failure& failure, bool probe);

 private:
  bool another_way(const AttemptState& state, const Failure& failure);
  RetryDecision next_step(AttemptState& state, Failure failure);

  const Model& model_;
  Targets& targets_;
  Timers& timers_;
  const std::function<double()>& random_;
};

}  // namespace ridgeline::llm
