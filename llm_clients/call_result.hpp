// Turns an attempt and its answer into the result that the engine gets, with every key redacted.
#pragma once

#include <string>

#include "llm_clients/answer.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/redaction.hpp"

namespace ridgeline::llm {

/// One attempt, as it went over the wire.
struct SentAttempt {
  const Model& model;  ///< the entry with the address that the attempt used
  const LlmRequest& request;
  std::string url;
  const std::string& body;
  std::string raw_response;
  int number = 0;  ///< from 1
  double seconds = 0;
};

/// Sets `answer.failure` if the answer is of no use: blank without a refusal, a tool call or a cut by length,
/// or with a finish reason by which the provider calls it broken. Leaves an answer that has failed or was
/// refused.
void fail_if_empty(Answer& answer);

/// Returns the attempt as a result that includes its cost. The fault is `none` or `request`; the caller
/// overwrites it where it knows better.
LlmResult result_of_exchange(const SentAttempt& exchange, Answer answer, const Redactor& redact);

/// Returns the result of an attempt in the form that `on_failed_attempt` gets.
FailedAttempt failed_attempt(const LlmResult& result);

/// Returns the `cancelled` result of a client that may send nothing any more. Its fault is `endpoint`, so a
/// resumed campaign sends the request again.
LlmResult stopped_result();

/// Clears usage, cost and unsettled cost, after `on_failed_attempt` has reported them.
void clear_cost(LlmResult& result);

}  // namespace ridgeline::llm
