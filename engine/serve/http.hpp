// Defines an HTTP request and its response, apart from any socket.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridgeline::serve {

/// The part of a request that the site reads.
struct Request {
  std::string method;  ///< "GET"
  std::string target;  ///< "/trajectory/3/live?since=…"
  std::string host;    ///< the Host header; "" if there was none
};

/// The response as the site makes it. The server adds the length.
struct Response {
  int status = 200;
  std::string type = "text/html; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< besides type and length
};

}  // namespace ridgeline::serve
