// HTTP requests and responses as plain data, without I/O.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/names.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

struct HttpHeader {
  std::string name;
  std::string value;
};
using HttpHeaders = std::vector<HttpHeader>;

/// Whether two header names are equal; case does not matter.
bool same_header(std::string_view a, std::string_view b);

/// Returns the value of the first header of that name, or "". Case does not matter.
std::string_view find_header(const HttpHeaders& headers, std::string_view name);

enum class HttpMethod { post, get };

struct HttpRequest {
  std::string url;
  HttpHeaders headers;  ///< may hold the key: never stored, never put into a message
  std::string body;     ///< unused with `get`
  Timeouts timeouts;
  HttpMethod method = HttpMethod::post;
  /// Opens a new connection for this request. A pooled one may turn out to be dead, and then the transport
  /// sends the request a second time; a request that creates something must not be repeated.
  bool fresh_connection = false;
  std::uint64_t id = 0;  ///< for Transport::abort; unique among the requests of one transport
};

/// Returns the bytes of the request on the wire.
std::string wire_text(const HttpRequest& request);

struct HttpHead {
  int status = 0;
  HttpHeaders headers;
};

/// How an exchange ended at the level of HTTP. The AnswerReader decides what that means for the call.
enum class HttpEndKind {
  complete,            ///< the whole body came
  stopped,             ///< the handler had enough and the rest did not come within `drain`
  cut_short,           ///< the connection broke before the body's end
  connect_failed,      ///< name unknown, no route, connection refused, or the proxy gave no tunnel
  tls_failed,          ///< the certificate or the handshake
  connect_timeout,     ///< Timeouts::connect
  first_byte_timeout,  ///< Timeouts::first_byte
  stalled,             ///< Timeouts::between_bytes
  total_timeout,       ///< Timeouts::total
  not_http,            ///< the bytes are no HTTP response
  too_large,           ///< body or head over the limit
};

constexpr auto enum_names(HttpEndKind) {
  return std::to_array<Name<HttpEndKind>>({
      {HttpEndKind::complete, "complete"},
      {HttpEndKind::stopped, "stopped"},
      {HttpEndKind::cut_short, "cut_short"},
      {HttpEndKind::connect_failed, "connect_failed"},
      {HttpEndKind::tls_failed, "tls_failed"},
      {HttpEndKind::connect_timeout, "connect_timeout"},
      {HttpEndKind::first_byte_timeout, "first_byte_timeout"},
      {HttpEndKind::stalled, "stalled"},
      {HttpEndKind::total_timeout, "total_timeout"},
      {HttpEndKind::not_http, "not_http"},
      {HttpEndKind::too_large, "too_large"},
  });
}

struct HttpEnd {
  HttpEndKind kind = HttpEndKind::complete;
  std::string detail;      ///< where and why, as a sentence without a full stop; empty if complete
  std::string why;         ///< the cause in a word or two, "connection refused"; empty if `kind` says it
  bool sent_whole = true;  ///< false: the server cannot have received the whole request
};

}  // namespace ridgeline::llm
