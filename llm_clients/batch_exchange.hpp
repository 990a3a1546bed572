// One exchange with a batch endpoint: a JSON answer, or lines of JSON as they come.
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

struct BatchTrouble {
  Failure failure;
  /// The server may have done what it was asked for, although it did not say so.
  bool may_be_done = false;
};

/// Called when the exchange is over; a trouble, or what was asked for came whole.
using OnJson = std::function<void(std::optional<BatchTrouble>, const nlohmann::json& answer)>;
using OnLine = std::function<void(const nlohmann::json&)>;
using OnEnd = std::function<void(std::optional<BatchTrouble>)>;

/// `wall` tells the time at which the answer came. `redact` must outlive the transport. Neither callback may
/// destroy the transport.
void ask_json(Transport& transport, HttpRequest request, const Redactor& redact,
              std::function<std::chrono::system_clock::time_point()> wall, OnJson done);
/// Each line is told as soon as it is whole, redacted; what is no JSON is left out. A body that breaks off
/// has told what came of it.
void ask_lines(Transport& transport, HttpRequest request, const Redactor& redact,
               std::function<std::chrono::system_clock::time_point()> wall, OnLine line, OnEnd done);

}  // namespace ridgeline::llm
