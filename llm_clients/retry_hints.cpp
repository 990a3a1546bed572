#include "llm_clients/retry_hints.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

namespace ridgeline::llm {
namespace {

using WallClock = std::chrono::system_clock;

/// Returns the time point, or nothing for a date or time that does not exist. Second 60 is a leap second.
std::optional<WallClock::time_point> utc(int year, int month, int day, int hour, int minute, int second) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)),
                                         std::chrono::day(unsigned(day))};
  if (!date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
    return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second);
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

/// A date in the past gives 0: the clocks differ, or the wait is over.
double until(WallClock::time_point then, WallClock::time_point now) {
  return std::max(0.0, std::chrono::duration<double>(then - now).count());
}

/// The longest reset among the limits that are used up, or among all where none says what remains.
std::optional<double> rate_limit_reset(const HttpHead& head, WallClock::time_point wall) {
  std::optional<double> exhausted;
  std::optional<double> any;
  const auto consider = [&](std::optional<double> seconds, std::string_view remaining) {
    if (!seconds) return;
    // A limit that still has room does not block, whenever it resets.
    if (remaining == "0") exhausted = std::max(exhausted.value_or(0), *seconds);
    if (remaining.empty()) any = std::max(any.value_or(0), *seconds);
  };
  for (const std::string limit : {"requests", "tokens", "input-tokens", "output-tokens"}) {
    const std::string anthropic = "anthropic-ratelimit-" + limit;
    if (const auto date = parse_rfc3339(find_header(head.headers, anthropic + "-reset")))
      consider(until(*date, wall), find_header(head.headers, anthropic + "-remaining"));
    consider(parse_duration(find_header(head.headers, "x-ratelimit-reset-" + limit)),
             find_header(head.headers, "x-ratelimit-remaining-" + limit));
  }
  return exhausted ? exhausted : any;
}

}  // namespace

std::optional<double> server_wait(const HttpHead& head, WallClock::time_point wall) {
  // More exact than Retry-After, which has whole seconds; OpenAI and Azure send both.
  if (const auto ms = parse_number(find_header(head.headers, "retry-after-ms"))) return *ms / 1000;
  const auto after = find_header(head.headers, "Retry-After");
  if (const auto seconds = parse_number(after)) return seconds;
  if (const auto date = parse_http_date(after)) return until(*date, wall);
  return head.status == 429 ? rate_limit_reset(head, wall) : std::nullopt;
}

std::optional<double> parse_duration(std::string_view text) {
  if (text.empty()) return std::nullopt;
  double seconds = 0;
  while (!text.empty()) {
    const auto digits = text.substr(0, text.find_first_not_of("0123456789."));
    const auto value = parse_number(digits);
    if (!value) return std::nullopt;
    text.remove_prefix(digits.size());
    const auto unit = text.substr(0, text.find_first_of("0123456789."));
    text.remove_prefix(unit.size());
    // A bare number means seconds.
    if (unit.empty() || unit == "s")
      seconds += *value;
    else if (unit == "ms")
      seconds += *value / 1e3;
    else if (unit == "m")
      seconds += *value * 60;
    else if (unit == "h")
      seconds += *value * 3600;
    else if (unit == "d")
      seconds += *value * 86400;
    else if (unit == "us" || unit == "µs")
      seconds += *value / 1e6;
    else
      return std::nullopt;
  }
  return seconds;
}

// sscanf needs a terminated string, hence the copies below; dates are far shorter than 64 bytes.
std::optional<WallClock::time_point> parse_http_date(std::string_view text) {
  static constexpr auto months = std::to_array<std::string_view>(
      {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"});
  const std::string copy(text.substr(0, 64));
  std::array<char, 4> month{};
  int day = 0, year = 0, hour = 0, minute = 0, second = 0, used = 0;
  if (std::sscanf(copy.c_str(), "%*3[A-Za-z], %2d %3s %4d %2d:%2d:%2d GMT%n", &day, month.data(), &year,
                  &hour, &minute, &second, &used) != 6 ||
      used == 0)
    return std::nullopt;
  const auto found = std::ranges::find(months, std::string_view(month.data()));
  if (found == months.end()) return std::nullopt;
  return utc(year, static_cast<int>(found - months.begin()) + 1, day, hour, minute, second);
}

std::optional<WallClock::time_point> parse_rfc3339(std::string_view text) {
  const std::string copy(text.substr(0, 64));
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, used = 0;
  if (std::sscanf(copy.c_str(), "%4d-%2d-%2d%*1[Tt ]%2d:%2d:%2d%n", &year, &month, &day, &hour, &minute,
                  &second, &used) != 6)
    return std::nullopt;
  auto time = utc(year, month, day, hour, minute, second);
  std::string_view rest = std::string_view(copy).substr(static_cast<std::size_t>(used));
  if (rest.starts_with('.')) {
    const auto fraction = rest.substr(0, rest.find_first_not_of("0123456789", 1));
    if (time) *time += std::chrono::milliseconds(std::lround(1000 * parse_number(fraction).value_or(0)));
    rest.remove_prefix(fraction.size());
  }
  // RFC 3339 allows a lower-case z.
  if (!time || rest == "Z" || rest == "z") return time;
  int hours = 0, minutes = 0;
  if (rest.size() != 6 || (rest[0] != '+' && rest[0] != '-') ||
      std::sscanf(rest.data() + 1, "%2d:%2d", &hours, &minutes) != 2)
    return std::nullopt;
  const auto offset = std::chrono::minutes(60 * hours + minutes);
  return rest[0] == '+' ? *time - offset : *time + offset;
}

}  // namespace ridgeline::llm
