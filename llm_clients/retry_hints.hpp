// How long a server asks to be left alone, read from its headers.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "llm_clients/http.hpp"

namespace ridgeline::llm {

/// Seconds to wait, or nothing where the server does not say. In this order: `retry-after-ms`, `Retry-After`
/// (seconds or an HTTP date); for 429 then `anthropic-ratelimit-*-reset` (RFC 3339) and `x-ratelimit-reset-*`
/// (durations such as "6m0s"), the longest of those whose `remaining` is 0. Past dates are 0.
std::optional<double> server_wait(const HttpHead& head, std::chrono::system_clock::time_point wall);

/// "1.5s", "20ms", "6m0s", "1h2m3s", or a bare number of seconds.
std::optional<double> parse_duration(std::string_view text);

/// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, IMF-fixdate).
std::optional<std::chrono::system_clock::time_point> parse_http_date(std::string_view text);

/// "2025-01-31T12:34:56Z", with a fraction or a numeric offset allowed.
std::optional<std::chrono::system_clock::time_point> parse_rfc3339(std::string_view text);

}  // namespace ridgeline::llm
