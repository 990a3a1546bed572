// From what came of an attempt to what the engine is told of it, with no key in any of it.
#pragma once

#include <string>

#include "llm_clients/answer.hpp"
#include "llm_clients/model.hpp"
#include "llm_clients/redaction.hpp"

namespace ridgeline::llm {

/// One attempt, as it went over the wire.
struct SentAttempt {
  const Model& model;  ///< the entry with the address that was asked
  const LlmRequest& request;
  std::string url;
  const std::string& body;
  std::string raw_response;
  int number = 0;  ///< from 1
  double seconds = 0;
};

/// An answer that ended and holds nothing becomes a failure.
void fail_if_empty(Answer& answer);

/// The attempt as a result, its cost in it. Its fault is `none` or `request`; the caller knows better.
LlmResult result_of_exchange(const SentAttempt& exchange, Answer answer, const Redactor& redact);

/// The attempt as one that another may follow.
FailedAttempt failed_attempt(const LlmResult& result);

/// What a client that may send nothing any more gives back.
LlmResult stopped_result();

/// The same result without its cost, which was told through `on_failed_attempt`.
void take_out_cost(LlmResult& result);

}  // namespace ridgeline::llm
