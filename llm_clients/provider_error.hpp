// Turns the errors of all providers into failures, whether they come as an HTTP status or inside a stream
// that began with 200. One table serves all, because routers and local servers use each other's words.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "llm_clients/answer.hpp"
#include "llm_clients/http.hpp"

namespace ridgeline::llm {

/// Returns the value of "error" in an event or body (or in its first element, if it is an array), or a JSON
/// null if there is none.
const nlohmann::json& error_in(const nlohmann::json& body);

/// Returns the failure that an error object (or string) inside a stream means.
Failure failure_of_error(const nlohmann::json& error);

/// Returns the failure that a status other than 2xx means; `body` may be incomplete. `url` is named in the
/// detail; `wall` turns dates in the headers into seconds to wait.
Failure failure_of_status(const HttpHead& head, std::string_view body, const std::string& url,
                          std::chrono::system_clock::time_point wall);

/// Returns the failure of a JSON answer that lacks the member `missing`.
Failure failure_of_shape(const char* missing);

/// Returns the failure of an exchange that broke off.
Failure failure_of_end(const HttpEnd& end);

}  // namespace ridgeline::llm
