// Which request of a ProviderClient goes when, and the wait for a failing endpoint.
#include <algorithm>
#include <utility>

#include "llm_clients/provider_client_impl.hpp"

namespace ridgeline::llm {

void ProviderClient::pump_at(TimePoint time) {
  if (wake_ && *wake_ <= time) return;
  wake_ = time;
  // An older, later timer still fires; `pump` then finds nothing to do.
  parts_.timers->at(time, [this, time] {
    if (wake_ == time) wake_.reset();
    pump();
  });
}

void ProviderClient::pump() {
  const auto time = now();
  queue_.wake(time);
  while (!queue_.empty() && start_next(time)) {
  }
  if (const auto next = queue_.next_wake()) pump_at(*next);
  if (patient() && parts_.on_endpoint) report_endpoints(time);
}

/// Asks endpoint, key and limits in this order, because only the limiter reserves something.
bool ProviderClient::start_next(TimePoint time) {
  const auto choice = targets_.choose(time, !patient(), queue_.front()->state.target);
  if (!std::holds_alternative<CircuitBreaker::Go>(choice.decision)) {
    wait_for_endpoint(choice, time);
    return false;
  }
  if (choice.target->key.wants_command(time)) {
    keys_.fetch(*choice.target);
    return false;
  }
  const auto call = queue_.front();
  const auto decision = limiter_.start(time, call->tokens);
  if (const auto* wait = std::get_if<RateLimiter::WaitUntil>(&decision)) pump_at(wait->time);
  // The third decision, WaitForFinish, needs no timer: the end of an attempt calls `pump`.
  const auto* go = std::get_if<RateLimiter::Go>(&decision);
  if (!go) return false;
  call->ticket = go->ticket;
  queue_.pop();
  send(call, *choice.target, time);
  return true;
}

void ProviderClient::wait_for_endpoint(const Targets::Choice& choice, TimePoint time) {
  const auto since = targets_.out_since();
  const auto end = since ? *since + clock_seconds(model().patience.seconds) : TimePoint::max();
  if (time >= end) return give_up_waiting(choice.target->endpoint->outage()->last, time - *since);
  const auto* until = std::get_if<CircuitBreaker::WaitUntil>(&choice.decision);
  // While a probe is under way there is no time to wait for. Its end calls `pump`, or patience ends first.
  if (until || since) pump_at(until ? std::min(until->time, end) : end);
}

void ProviderClient::key_failed(Target& target, const Failure& failure, CircuitBreaker::Probe probe) {
  attempt_handler_.endpoint_failed(target, failure, probe);
  if (!patient()) give_up_waiting(failure, Fault::endpoint);
}

void ProviderClient::give_up_waiting(Failure failure, TimePoint::duration waited) {
  failure.detail += "; no answer for " + duration_text(std::chrono::duration<double>(waited).count()) +
                    ", longer than the model entry's patience";
  give_up_waiting(failure, Fault::endpoint);
}

void ProviderClient::give_up_waiting(const Failure& failure, Fault fault) {
  for (const auto& call : queue_.take_all()) {
    // A request that was sent before keeps its last raw texts, for the journal.
    LlmResult result = call->last ? std::move(*call->last) : unsent(*call);
    result.status = failure.status;
    result.detail = redact_(failure.detail);
    result.fault = fault;
    end(call, std::move(result));
  }
}

void ProviderClient::report_endpoints(TimePoint time) {
  for (const auto& target : targets_.all())
    news_.update(*target.endpoint, !calls_.empty(), time, parts_.timers->wall());
  if (!news_.any()) return;
  // By a timer, because the callback may destroy the client, and this runs inside it.
  parts_.timers->at(time, [this] {
    for (const auto& state : news_.take()) parts_.on_endpoint(state);
  });
}

}  // namespace ridgeline::llm
