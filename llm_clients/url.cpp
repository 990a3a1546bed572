#include "llm_clients/url.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "engine/core/error.hpp"

namespace ridgeline::llm {
namespace {

[[noreturn]] void reject(std::string_view what, std::string_view why) {
  throw BadInput(std::string(what) + ": " + std::string(why) +
                 "; expected something like https://host:port/path");
}

std::uint16_t parse_port(std::string_view digits, std::string_view what) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc{} || end != digits.data() + digits.size() || port == 0)
    reject(what, "the port is not a number from 1 to 65535");
  return port;
}

}  // namespace

std::string Url::authority() const {
  const bool ipv6 = host.find(':') != std::string::npos;
  return (ipv6 ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

std::string Url::host_header() const {
  const auto full = authority();
  return port == (tls ? 443 : 80) ? full.substr(0, full.rfind(':')) : full;
}

std::string Url::origin() const {
  return (tls ? "https://" : "http://") + authority();
}

bool Url::loopback() const {
  // "127.example.com" begins with 127. and is a host anywhere, so only numbers count.
  const bool number = host.find_first_not_of("0123456789.") == std::string::npos;
  return host == "localhost" || host == "::1" || (number && host.starts_with("127."));
}

Url parse_url(std::string_view text, std::string_view what) {
  // A line end in an address would become a header of the request.
  if (std::ranges::any_of(text, [](unsigned char c) { return c <= 0x20 || c == 0x7f; }))
    reject(what, "the address has a space or control character in it");

  Url url;
  if (text.starts_with("https://")) {
    url.tls = true;
    text.remove_prefix(8);
  } else if (text.starts_with("http://")) {
    text.remove_prefix(7);
  } else {
    reject(what, "the address does not start with https:// or http://");
  }

  const auto path = std::min(text.find_first_of("/?#"), text.size());
  auto authority = text.substr(0, path);
  if (path < text.size()) {
    const auto target = text.substr(path, text.find('#', path) - path);
    // "https://host?x=1" has an empty path, which is "/" on the wire.
    url.target = target.starts_with('/') ? std::string(target) : '/' + std::string(target);
  }
  // The address is stored and shown, so a password in it would be too.
  if (authority.find('@') != std::string_view::npos)
    reject(what,
           "the address carries a user name or password, which belong into api_key_env or api_key_file");

  url.port = url.tls ? 443 : 80;
  if (authority.starts_with('[')) {
    const auto bracket = authority.find(']');
    if (bracket == std::string_view::npos) reject(what, "an IPv6 address without its closing bracket");
    url.host = authority.substr(1, bracket - 1);
    authority.remove_prefix(bracket + 1);
    if (authority.starts_with(':'))
      url.port = parse_port(authority.substr(1), what);
    else if (!authority.empty())
      reject(what, "something other than a port follows the host");
  } else if (const auto colon = authority.find(':'); colon != std::string_view::npos) {
    url.host = authority.substr(0, colon);
    url.port = parse_port(authority.substr(colon + 1), what);
  } else {
    url.host = authority;
  }
  if (url.host.empty()) reject(what, "the address names no host");
  // Hosts are compared by text: origins, NO_PROXY, loopback.
  std::ranges::transform(url.host, url.host.begin(), [](unsigned char c) { return std::tolower(c); });
  return url;
}

std::string without_query(std::string_view url) {
  return std::string(url.substr(0, url.find_first_of("?#")));
}

}  // namespace ridgeline::llm
