// The few parts of an http or https address that a client needs.
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

  /// "host:port", the IPv6 brackets put back: what CONNECT wants.
  std::string authority() const;
  /// The value of Host: the port is left out where it is the scheme's own.
  std::string host_header() const;
  /// "scheme://host:port": connections to one origin are interchangeable.
  std::string origin() const;
  /// localhost, 127.0.0.0/8 or ::1.
  bool loopback() const;
};

/// Throws BadInput naming `what` (a key or variable): another scheme, no host, a bad port, a user name in it,
/// a space or control character. The message does not repeat a user name or password.
Url parse_url(std::string_view text, std::string_view what);

/// `url` up to its query or fragment.
std::string without_query(std::string_view url);

}  // namespace ridgeline::llm
