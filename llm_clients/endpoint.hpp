// The health of one origin ("https://api.example.com:443"): its circuit breaker, its outage and its last
// answer. All clients that send to the origin share it. Belongs to the thread of their io_context.
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
  Endpoint(const Endpoint&) = delete;  // clients hold pointers to it
  Endpoint& operator=(const Endpoint&) = delete;

  /// The time from the first failure after the last answer until the next answer.
  struct Outage {
    TimePoint since;
    WallTime since_wall;
    Failure last;  ///< the latest failure; its detail is redacted
  };

  const std::string& host() const { return host_; }
  const CircuitBreaker& breaker() const { return breaker_; }
  const std::optional<Outage>& outage() const { return outage_; }
  /// Returns when the latest answered request was sent, not when its answer came: an answer that was under
  /// way when the endpoint failed says nothing about its present state.
  const std::optional<TimePoint>& last_answered() const { return last_answered_; }

  /// Records that a request goes. Returns which of the breaker's probes it is, if it is one.
  CircuitBreaker::Probe begin_request(TimePoint now) { return breaker_.begin_request(now); }
  /// Records that the answer of a request has begun.
  void answer_began(CircuitBreaker::Probe probe);
  /// Records an answer to a request that was sent at `sent`. An error status counts too, if it blames the
  /// request and not the endpoint: the API is reachable.
  void answered(TimePoint sent);
  struct FailureContext {
    TimePoint now;
    WallTime wall;
    CircuitBreaker::Probe probe = CircuitBreaker::Probe::none;
    double random = 0;  ///< uniform in [0, 1)
  };
  void failed(const Failure& failure, const FailureContext& context, const CircuitBreaker::Pauses& pauses);
  /// Records that a request was cancelled before it said anything about the endpoint.
  void abandoned(CircuitBreaker::Probe probe);

  /// Calls `changed` whenever the breaker opens, closes or is probed. Returns an id for `forget`.
  int listen(std::function<void()> changed);
  void forget(int listener) { listeners_.erase(listener); }

 private:
  void notify_listeners() const;

  std::string host_;
  CircuitBreaker breaker_;
  std::optional<Outage> outage_;
  std::optional<TimePoint> last_answered_;
  std::map<int, std::function<void()>> listeners_;
  int next_listener_ = 0;
};

/// Maps origins to endpoints.
class Endpoints {
 public:
  std::shared_ptr<Endpoint> at(const std::string& origin, const std::string& host);

 private:
  std::map<std::string, std::shared_ptr<Endpoint>> by_origin_;
};

/// Returns the endpoints that all clients on `io` share. They live as long as `io`.
Endpoints& endpoints_of(boost::asio::io_context& io);

}  // namespace ridgeline::llm
