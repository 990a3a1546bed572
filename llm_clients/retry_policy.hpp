// Whether a failed call is tried again and when: pure, fed with numbers.
#pragma once

#include <string>
#include <variant>

#include "llm_clients/answer.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

struct RetryIn {
  double seconds = 0;
};
struct GiveUp {
  std::string reason;  ///< to be added to the failure's detail; empty where that says it all
};
using RetryDecision = std::variant<RetryIn, GiveUp>;

/// Whether another try of the same request can succeed at all.
bool retryable(LlmStatus status);

/// `attempts` were made, the last one ended with `failure`; `random` is uniform in [0, 1).
/// The wait is "full jitter" (Brooker, "Exponential backoff and jitter", 2015): random · min(cap, base ·
/// 2^(attempts − 1)); a server's own wait is honoured whole, with up to `base` seconds of jitter on top so
/// that those it turned away do not come back at once.
RetryDecision decide_retry(const Retries& retries, const Failure& failure, int attempts, double random);

}  // namespace ridgeline::llm
