// Runs a small HTTP server on 127.0.0.1: reads requests from sockets and writes what a handler answers.
//
// One thread, the one that calls `run`: a handler that takes long delays every other request.
#pragma once

#include <functional>
#include <memory>

#include "engine/serve/http.hpp"

namespace ridgeline::serve {

/// Listens from its construction on; `run` answers.
class Server {
 public:
  using Handler = std::function<Response(const Request&)>;  ///< must not throw

  /// Listens on `port`; 0 takes any free one. Throws MachineCannot if the port is in use or not allowed.
  Server(unsigned short port, Handler handler);
  ~Server();

  /// Returns the port that it listens on.
  unsigned short port() const;
  /// Answers requests until SIGINT, SIGTERM or `stop`.
  void run();
  void stop();  ///< any thread

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ridgeline::serve
