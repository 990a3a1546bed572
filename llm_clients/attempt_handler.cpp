#include "llm_clients/attempt_handler.hpp"

#include "llm_clients/call_result.hpp"

namespace ridgeline::llm {
namespace {

/// One answer to another request proves little, since it may have come between two outages. A request that
/// has failed this often, each time with answers to others in between, fails by itself.
constexpr int kFailuresAlone = 3;

}  // namespace

std::optional<RetryDecision> AttemptHandler::handle(AttemptState& state, Answer& answer) {
  fail_if_empty(answer);
  auto& target = *state.target;
  if (!answer.failure) {
    target.record_answer();
    target.key.accepted(state.key);
    target.endpoint->answered(state.sent);
    return std::nullopt;
  }
  auto& failure = *answer.failure;
  const bool again = can_resend_at_once(state, failure);
  // A request that is sent again at once says nothing yet: `denied` would count a rejected seed, which the
  // next body does not have.
  if (!again) failure.blame = target.settle_blame(failure.blame);
  // An API that rejects a request is reachable, so for the breaker that counts as an answer.
  if (failure.blame == Blame::endpoint)
    endpoint_failed(target, failure, state.probe);
  else
    target.endpoint->answered(state.sent);
  return again ? RetryIn{0} : next_step(state, failure);
}

/// Whether the server may accept the request at once with a new key, or without an optional part of its body.
bool AttemptHandler::can_resend_at_once(const AttemptState& state, const Failure& failure) {
  if (state.target->leave_out(failure.rejects, state.parts)) return true;
  // An empty account is blamed on the account too, but a new key of the same account would not help.
  const bool key_refused = failure.blame == Blame::account && failure.status == LlmStatus::unauthorized;
  return key_refused && state.target->key.refused(state.key);
}

void AttemptHandler::endpoint_failed(Target& target, const Failure& failure, CircuitBreaker::Probe probe) {
  target.endpoint->failed(failure,
                          {.now = timers_.now(), .wall = timers_.wall(), .probe = probe, .random = random_()},
                          {.base = model_.retries.base, .longest = model_.patience.longest_pause});
}

RetryDecision AttemptHandler::next_step(AttemptState& state, Failure failure) {
  const auto now = timers_.now();
  if (!state.first_failure) state.first_failure = now;
  const bool others = state.last_failure && targets_.answered_after(*state.last_failure);
  state.failures_while_others_answered = others ? state.failures_while_others_answered + 1 : 0;
  // After `others` was computed, which compares with the previous failure.
  state.last_failure = now;
  // Another address has another key and may accept the request.
  if (failure.blame == Blame::account && targets_.refuse(*state.target)) return RetryIn{0};
  const RetryHistory history{.now = now,
                             .attempts = state.attempts,
                             .seconds = state.seconds,
                             .first = *state.first_failure,
                             .others_answered = state.failures_while_others_answered >= kFailuresAlone,
                             .out_since = targets_.out_since().value_or(now)};
  // The wait that this server asks for does not concern another address that may be used now.
  const auto choice = targets_.choose(now, false);
  if (targets_.size() > 1 && std::holds_alternative<CircuitBreaker::Go>(choice.decision))
    failure.wait_s.reset();
  return decide_retry(model_, failure, history, random_());
}

}  // namespace ridgeline::llm
