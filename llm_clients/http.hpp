// What a transport carries: plain data, no I/O.
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

/// The names of headers are the same in any case of letters.
bool same_header(std::string_view a, std::string_view b);

/// The value of the first header of that name, in any case of letters; empty where there is none.
std::string_view find_header(const HttpHeaders& headers, std::string_view name);

enum class HttpMethod { post, get };

struct HttpRequest {
  std::string url;
  HttpHeaders headers;  ///< may hold the key: never kept, never put into a message
  std::string body;     ///< none with `get`
  Timeouts timeouts;
  HttpMethod method = HttpMethod::post;
  /// On a connection of its own, so that the transport never sends it a second time.
  bool once = false;
  std::uint64_t id = 0;  ///< for Transport::abort; of one transport's requests each has another
};

/// The request as it goes over the wire.
std::string wire_text(const HttpRequest& request);

struct HttpHead {
  int status = 0;
  HttpHeaders headers;
};

/// How an exchange ended, seen from the wire. What it means for the call is the AnswerReader's to say.
enum class HttpEndKind {
  complete,            ///< the whole body came
  stopped,             ///< the handler had enough and the rest did not come soon
  cut_short,           ///< the connection broke before the body's end
  connect_failed,      ///< no name, no route, refused, or the proxy said no
  tls_failed,          ///< the certificate or the handshake
  connect_timeout,     //
  first_byte_timeout,  //
  stalled,             ///< between bytes
  total_timeout,       //
  not_http,            ///< what came is no HTTP response
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
  std::string detail;  ///< where and why, in a sentence without a full stop; empty when complete
  std::string why;     ///< in a word or two where `kind` does not tell: "connection refused"; may be empty
  bool sent_whole = true;  ///< false: the other side cannot have the whole request
};

}  // namespace ridgeline::llm
