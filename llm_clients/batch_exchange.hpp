// Sends one request to a batch endpoint, whose answer is one JSON document or lines of JSON. Callbacks run on
// the client's thread and must not destroy the transport. None comes once the exchange is aborted or the
// transport is destroyed. The Redactor must outlive the transport.
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
  /// The server may have carried out the request although no confirmation came. False if it refused (3xx,
  /// 4xx, 503 or 529), or cannot have received the whole request.
  bool may_have_taken_effect = false;
};

/// Called once, when the exchange is over: with a failure (`answer` is null then), which a 2xx answer that is
/// no JSON is too, or with nothing if the whole answer came. `answer` is redacted.
using OnJson = std::function<void(std::optional<BatchExchangeFailure>, const nlohmann::json& answer)>;
/// Gets one line of an answer, redacted.
using OnLine = std::function<void(const nlohmann::json&)>;
/// Called once, when the exchange is over. A 2xx answer without a line of JSON is no failure here.
using OnEnd = std::function<void(std::optional<BatchExchangeFailure>)>;

/// Sends a request whose answer is one document. `wall` returns the present time, which turns dates in
/// headers (Retry-After) into seconds.
void request_json(Transport& transport, HttpRequest request, const Redactor& redact,
                  std::function<std::chrono::system_clock::time_point()> wall, OnJson done);
/// Sends a request whose answer is JSON lines. Calls `line` for each line of a 2xx answer as it comes, also
/// if the body breaks off later. Skips lines that are no JSON. The last line of a whole body may lack its
/// line end; half a line that a break leaves is dropped.
void request_lines(Transport& transport, HttpRequest request, const Redactor& redact,
                   std::function<std::chrono::system_clock::time_point()> wall, OnLine line, OnEnd done);

}  // namespace ridgeline::llm
