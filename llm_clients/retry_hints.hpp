// Reads from response headers how long a server asks clients to wait.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "llm_clients/http.hpp"

namespace ridgeline::llm {

/// Returns the seconds to wait, or nothing if the server does not say. Reads, in this order:
/// `retry-after-ms`; `Retry-After` (seconds or an HTTP date); for a 429, `anthropic-ratelimit-*-reset` (RFC
/// 3339) and OpenAI's `x-ratelimit-reset-*` (durations such as "6m0s"), the longest of those whose
/// `remaining` is 0. A past date gives 0.
std::optional<double> server_wait(const HttpHead& head, std::chrono::system_clock::time_point wall);

/// Parses "1.5s", "20ms", "6m0s", "1h2m3s" or a bare number of seconds.
std::optional<double> parse_duration(std::string_view text);

/// Parses "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, IMF-fixdate).
std::optional<std::chrono::system_clock::time_point> parse_http_date(std::string_view text);

/// Parses "2025-01-31T12:34:56Z"; a fraction and a numeric offset are allowed.
std::optional<std::chrono::system_clock::time_point> parse_rfc3339(std::string_view text);

}  // namespace ridgeline::llm
