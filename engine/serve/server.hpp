// A small HTTP server on 127.0.0.1: takes requests off sockets and writes what a handler answers. One thread.
#pragma once

#include <functional>
#include <memory>

#include "engine/serve/http.hpp"

namespace ridgeline::serve {

class Server {
 public:
  using Handler = std::function<Response(const Request&)>;  ///< must not throw

  /// Listens at once; `port` 0 is any free one. Throws MachineCannot if the port is taken or not allowed.
  Server(unsigned short port, Handler handler);
  ~Server();

  unsigned short port() const;
  /// Answers until SIGINT, SIGTERM or `stop`.
  void run();
  void stop();  ///< from any thread

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ridgeline::serve
