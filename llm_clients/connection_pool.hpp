// Keeps idle connections for the next request to the same origin. Private to the transport; belongs to its
// thread.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "llm_clients/connection.hpp"

namespace ridgeline::llm {

class ConnectionPool {
 public:
  ConnectionPool(std::size_t per_origin, std::chrono::steady_clock::duration longest_idle)
      : per_origin_(per_origin), longest_idle_(longest_idle) {}

  /// Takes the most recently used connection that is still open, or returns null. Drops those that are not.
  std::unique_ptr<Connection> take(const std::string& origin) {
    auto& waiting = waiting_[origin];
    const auto oldest = std::chrono::steady_clock::now() - longest_idle_;
    while (!waiting.empty()) {
      Waiting last = std::move(waiting.back());
      waiting.pop_back();
      if (last.since >= oldest && last.connection->idle()) return std::move(last.connection);
    }
    return nullptr;
  }

  /// Keeps the connection, or closes it if the origin has `per_origin` already.
  void put(const std::string& origin, std::unique_ptr<Connection> connection) {
    auto& waiting = waiting_[origin];
    if (waiting.size() >= per_origin_) return;
    waiting.push_back({std::move(connection), std::chrono::steady_clock::now()});
  }

 private:
  struct Waiting {
    std::unique_ptr<Connection> connection;
    std::chrono::steady_clock::time_point since;
  };

  std::size_t per_origin_;
  std::chrono::steady_clock::duration longest_idle_;
  std::map<std::string, std::vector<Waiting>> waiting_;
};

}  // namespace ridgeline::llm
