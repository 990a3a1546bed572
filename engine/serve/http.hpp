// Defines an HTTP request and its response, apart from any socket.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridgeline::serve {

/// What the site reads of a request.
struct Request {
  std::string method;  ///< "GET"
  std::string target;  ///< "/trajectory/3/live?since=…"
  std::string host;    ///< the Host header; "" if there was none
};

/// What the server sends.
struct Response {
  int status = 200;
  std::string type = "text/html; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< besides type and length
};

}  // namespace ridgeline::serve
