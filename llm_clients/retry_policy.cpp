#include "llm_clients/retry_policy.hpp"

#include <algorithm>
#include <cmath>

namespace ridgeline::llm {

bool retryable(LlmStatus status) {
  switch (status) {
    case LlmStatus::rate_limited:
    case LlmStatus::overloaded:
    case LlmStatus::server_error:
    case LlmStatus::timed_out:
    case LlmStatus::connection_failed:
    case LlmStatus::malformed:
    case LlmStatus::empty:
      return true;
    case LlmStatus::answered:
    case LlmStatus::truncated:
    case LlmStatus::refused:
    case LlmStatus::bad_request:
    case LlmStatus::context_exceeded:
    case LlmStatus::unauthorized:
    case LlmStatus::not_found:
    case LlmStatus::missing_recording:
    case LlmStatus::cancelled:
      return false;
  }
  return false;
}

RetryDecision decide_retry(const Retries& retries, const Failure& failure, int attempts, double random) {
  if (failure.hopeless || !retryable(failure.status)) return GiveUp{};
  if (attempts >= retries.attempts) {
    if (retries.attempts <= 1) return GiveUp{};
    return GiveUp{"given up after " + std::to_string(attempts) + " attempts (retries.attempts)"};
  }
  if (failure.wait_s) {
    if (*failure.wait_s > retries.longest)
      return GiveUp{"the server asks for a wait of " + std::to_string(std::lround(*failure.wait_s)) +
                    " s, more than retries.longest allows"};
    return RetryIn{*failure.wait_s + random * retries.base};
  }
  return RetryIn{random * std::min(retries.cap, retries.base * std::exp2(attempts - 1))};
}

}  // namespace ridgeline::llm
