// One HTTP exchange with a batch endpoint, which answers one JSON document or lines of JSON. Callbacks run on
// the client's thread.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "llm_clients/answer.hpp"
#include "llm_clients/redaction.hpp"
#include "llm_clients/transport.hpp"

namespace ridgeline::llm {

struct BatchExchangeFailure {
  Failure failure;
  /// The server may have carried out the request although no confirmation came.
  bool may_have_taken_effect = false;
};

/// Called when the exchange is over: with a failure, or with nothing if the whole answer came.
using OnJson = std::function<void(std::optional<BatchExchangeFailure>, const nlohmann::json& answer)>;
using OnLine = std::function<void(const nlohmann::json&)>;
using OnEnd = std::function<void(std::optional<BatchExchangeFailure>)>;

/// Sends a request whose answer is one document. `wall` returns the present time, which turns dates in
/// headers into seconds. `redact` must outlive the transport. Neither callback may destroy the transport.
void request_json(Transport& transport, HttpRequest request, const Redactor& redact,
                  std::function<std::chrono::system_clock::time_point()> wall, OnJson done);
/// Sends a request whose answer is JSON lines. Calls `line` for each complete line, redacted, as it comes,
/// also if the body breaks off later. Skips lines that are no JSON.
void request_lines(Transport& transport, HttpRequest request, const Redactor& redact,
                   std::function<std::chrono::system_clock::time_point()> wall, OnLine line, OnEnd done);

}  // namespace ridgeline::llm
