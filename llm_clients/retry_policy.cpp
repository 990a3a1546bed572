#include "llm_clients/retry_policy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ridgeline::llm {
namespace {

// With less than this share of the total time left, another quick attempt would only end as a time-out.
constexpr double kWorthATry = 0.1;

/// Whether another attempt in quick succession is allowed, by number and by total time.
bool quick_tries_left(const Model& model, int attempts, double seconds) {
  return attempts < model.retries.attempts && seconds <= model.timeouts.total * (1 - kWorthATry);
}

/// Returns `retries.base`, doubled with each attempt, up to `longest`. The exponent is bounded against
/// overflow.
double doubled(const Model& model, int attempts, double longest) {
  return std::min(longest, model.retries.base * std::exp2(std::min(attempts - 1, 40)));
}

/// Gives up because no quick attempt is left, and names the setting that ended them.
GiveUp given_up(const Model& model, Fault fault, const RetryHistory& history) {
  const int attempts = history.attempts;
  if (attempts < model.retries.attempts)
    return {"given up after " + std::to_string(attempts) + (attempts == 1 ? " attempt" : " attempts") +
                ", which took " + duration_text(history.seconds) + " (timeouts.total is " +
                duration_text(model.timeouts.total) + ")",
            fault};
  // With a single attempt configured, "given up after 1 attempts" would only puzzle.
  if (attempts <= 1 && model.retries.attempts <= 1) return {"", fault};
  return {"given up after " + std::to_string(attempts) + " attempts (retries.attempts)", fault};
}

/// Decides without patience: only the quick attempts, then the failure is the result.
RetryDecision impatient(const Model& model, const Failure& failure, const RetryHistory& history,
                        double random) {
  const auto fault = history.others_answered ? Fault::request : Fault::endpoint;
  if (!quick_tries_left(model, history.attempts, history.seconds)) return given_up(model, fault, history);
  if (!failure.wait_s) return RetryIn{random * doubled(model, history.attempts, model.retries.cap)};
  if (*failure.wait_s > model.retries.longest)
    return GiveUp{"the server asks for a wait of " + duration_text(*failure.wait_s) +
                      ", more than retries.longest allows",
                  Fault::endpoint};
  return RetryIn{*failure.wait_s + random * model.retries.base};
}

/// Decides with patience: attempts go on until it ends. The circuit breaker spaces them
/// (circuit_breaker.hpp).
RetryDecision patient(const Model& model, const Failure& failure, const RetryHistory& history,
                      double random) {
  const auto anchor = history.others_answered ? history.first : history.out_since;
  const double waited = std::chrono::duration<double>(history.now - anchor).count();
  const double left = model.patience.seconds - waited;
  const std::string patience =
      "the model entry's patience of " + duration_text(model.patience.seconds) + " is over";
  if (left <= 0)
    return history.others_answered
               ? GiveUp{"the server answers other requests and not this one, in " +
                            std::to_string(history.attempts) + " attempts; " + patience,
                        Fault::request}
               : GiveUp{"no answer for " + duration_text(waited) + "; " + patience, Fault::endpoint};
  // A request that returns before the server's wait is over would only be rejected again.
  if (failure.wait_s && *failure.wait_s > left)
    return GiveUp{"the server asks for a wait of " + duration_text(*failure.wait_s) +
                      ", more than is left of the model entry's patience",
                  Fault::endpoint};
  double wait = 0;
  if (failure.wait_s)
    wait = *failure.wait_s + random * model.retries.base;
  else if (quick_tries_left(model, history.attempts, history.seconds))
    wait = random * doubled(model, history.attempts, model.retries.cap);
  else
    // After the quick attempts: at least half of the pause, as the breaker does.
    wait = (0.5 + 0.5 * random) * doubled(model, history.attempts, model.patience.longest_pause);
  // The last attempt comes at the end of patience, not after it.
  return RetryIn{std::min(wait, left)};
}

}  // namespace

RetryDecision decide_retry(const Model& model, const Failure& failure, const RetryHistory& history,
                           double random) {
  switch (failure.blame) {
    case Blame::request:
    case Blame::denied:
      return GiveUp{"", Fault::request};
    case Blame::account:
      return GiveUp{"", Fault::account};
    case Blame::answer:
      if (!quick_tries_left(model, history.attempts, history.seconds))
        return given_up(model, Fault::request, history);
      return RetryIn{random * doubled(model, history.attempts, model.retries.cap)};
    case Blame::endpoint:
      break;
  }
  return model.patience.seconds > 0 ? patient(model, failure, history, random)
                                    : impatient(model, failure, history, random);
}

double seconds_left(const Model& model, int attempts, double seconds) {
  // An attempt after an outage is a new beginning, with the whole time of an answer.
  if (!quick_tries_left(model, attempts, seconds)) return model.timeouts.total;
  return model.timeouts.total - seconds;
}

std::string duration_text(double seconds) {
  const auto minutes = static_cast<long long>(std::llround(std::min(seconds, 3e11) / 60));
  char text[64];
  if (seconds < 119.5)  // which rounds to 2 min
    std::snprintf(text, sizeof text, "%.3g s", seconds);
  else if (minutes < 2 * 60)
    std::snprintf(text, sizeof text, "%lld min", minutes);
  else
    std::snprintf(text, sizeof text, "%lld h %lld min", minutes / 60, minutes % 60);
  return text;
}

}  // namespace ridgeline::llm
