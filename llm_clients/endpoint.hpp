// What is known of one origin ("https://api.example.com:443"), shared by all clients that ask it: its circuit
// breaker, since when it has been out and why, and when it last answered. Belongs to one thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "llm_clients/answer.hpp"
#include "llm_clients/circuit_breaker.hpp"
#include "llm_clients/timers.hpp"

namespace boost::asio {
class io_context;
}

namespace ridgeline::llm {

class Endpoint {
 public:
  explicit Endpoint(std::string host) : host_(std::move(host)) {}
  Endpoint(const Endpoint&) = delete;  // those who listen know it by address
  Endpoint& operator=(const Endpoint&) = delete;

  /// From its first failure after its last answer until the next.
  struct Outage {
    TimePoint since;
    WallTime since_wall;
    Failure last;  ///< its latest failure, with no key in its detail
  };

  const std::string& host() const { return host_; }
  const CircuitBreaker& breaker() const { return breaker_; }
  const std::optional<Outage>& outage() const { return outage_; }
  /// When the latest request that was answered was sent: an answer that was under way when the endpoint
  /// failed says nothing of it now.
  const std::optional<TimePoint>& last_answered() const { return last_answered_; }

  bool take(TimePoint now) { return breaker_.take(now); }
  void began(bool probe);
  /// Any answer that an API gives counts, also one that says no to what was asked.
  void answered(TimePoint sent);
  struct Seen {
    TimePoint now;
    WallTime wall;
    bool probe = false;
    double random = 0;  ///< uniform in [0, 1)
  };
  void failed(const Failure& failure, const Seen& seen, const CircuitBreaker::Pauses& pauses);
  void abandoned(bool probe);

  /// `changed` is called whenever requests may go that could not, or the other way round.
  int listen(std::function<void()> changed);
  void forget(int listener) { listeners_.erase(listener); }

 private:
  void tell() const;

  std::string host_;
  CircuitBreaker breaker_;
  std::optional<Outage> outage_;
  std::optional<TimePoint> last_answered_;
  std::map<int, std::function<void()>> listeners_;
  int next_listener_ = 0;
};

/// The endpoints by their origin.
class Endpoints {
 public:
  std::shared_ptr<Endpoint> at(const std::string& origin, const std::string& host);

 private:
  std::map<std::string, std::shared_ptr<Endpoint>> by_origin_;
};

/// Those of all clients that run on `io`. Lives as long as `io`.
Endpoints& endpoints_of(boost::asio::io_context& io);

}  // namespace ridgeline::llm
