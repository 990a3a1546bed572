// What the errors of all providers mean, whether they come as an HTTP status or inside a stream that began
// with 200. One table, because routers and local servers mix each other's words.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "llm_clients/answer.hpp"
#include "llm_clients/http.hpp"

namespace ridgeline::llm {

/// The value of "error" in an event or body, or null where there is none (an array's first element counts).
const nlohmann::json& error_in(const nlohmann::json& body);

/// What an error object (or string) says, as seen inside a stream.
Failure failure_of_error(const nlohmann::json& error);

/// What a status other than 2xx says, with the body as far as it came. `url` is named in the detail; `wall`
/// turns dates in the headers into waits.
Failure failure_of_status(const HttpHead& head, std::string_view body, const std::string& url,
                          std::chrono::system_clock::time_point wall);

/// JSON came that is no answer: the member `missing` is not there.
Failure failure_of_shape(const char* missing);

/// What an exchange that broke off says.
Failure failure_of_end(const HttpEnd& end);

}  // namespace ridgeline::llm
