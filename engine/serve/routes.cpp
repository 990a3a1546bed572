#include "engine/serve/routes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

namespace ridgeline::serve {
namespace {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 1; at <= path.size();) {
    const auto end = std::min(path.find('/', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::optional<store::Id> id_of(std::string_view text) {
  store::Id id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || id < 1) return std::nullopt;
  return id;
}

/// Returns the version in a query. Versions are our own words and need no decoding.
std::string since_of(std::string_view query) {
  constexpr std::string_view name = "since=";
  return query.starts_with(name) ? std::string(query.substr(name.size())) : std::string();
}

Route trajectory_route(const std::vector<std::string_view>& parts, std::string_view query) {
  const auto id = id_of(parts[1]);
  if (!id) return Unknown{};
  if (parts.size() == 2) return TrajectoryPage{*id};
  if (parts.size() == 3 && parts[2] == "live") return TrajectoryNews{*id, since_of(query)};
  if (parts.size() == 4 && parts[2] == "prompt") return PromptPage{*id, std::string(parts[3])};
  return Unknown{};
}

}  // namespace

Route route_of(std::string_view target) {
  const auto mark = std::min(target.find('?'), target.size());
  const auto path = target.substr(0, mark);
  const auto query = target.substr(std::min(mark + 1, target.size()));
  if (path == "/") return Overview{};
  if (!path.starts_with('/')) return Unknown{};
  const auto parts = parts_of(path);
  if (parts.size() == 1 && parts[0] == "live") return OverviewNews{since_of(query)};
  if (parts.size() >= 2 && parts[0] == "trajectory") return trajectory_route(parts, query);
  return Unknown{};
}

bool is_loopback(std::string_view host) {
  // An IPv6 address has colons of its own, so it stands in brackets.
  const auto name =
      host.starts_with('[') ? host.substr(0, host.find(']') + 1) : host.substr(0, host.find(':'));
  const auto port = host.substr(name.size());
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!port.empty() && (port[0] != ':' || !std::all_of(port.begin() + 1, port.end(), is_digit))) return false;
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower == "localhost" || lower == "127.0.0.1" || lower == "[::1]";
}

}  // namespace ridgeline::serve
