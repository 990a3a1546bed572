// Parses http and https addresses into the parts that a client needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridgeline::llm {

struct Url {
  bool tls = false;
  std::string host;  ///< lower case; an IPv6 address without its brackets
  std::uint16_t port = 0;
  std::string target = "/";  ///< path and query

  /// Returns "host:port", with brackets around IPv6, as CONNECT requires.
  std::string authority() const;
  /// Returns the value of the Host header, without the scheme's default port.
  std::string host_header() const;
  /// Returns "scheme://host:port". Connections to one origin are interchangeable.
  std::string origin() const;
  /// Whether the host is localhost, in 127.0.0.0/8 or ::1.
  bool loopback() const;
};

/// Parses an address. Throws BadInput that names `what` (a YAML key or variable) for another scheme, a
/// missing host, a bad port, a user name, a space or a control character. The message repeats no user name or
/// password.
Url parse_url(std::string_view text, std::string_view what);

/// Returns `url` up to its query or fragment.
std::string without_query(std::string_view url);

}  // namespace ridgeline::llm
