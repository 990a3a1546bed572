#include "llm_clients/endpoint.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>

namespace ridgeline::llm {
namespace {

/// Asio keeps one of these for each io_context, made when it is first asked for.
class EndpointsService : public boost::asio::execution_context::service {
 public:
  using key_type = EndpointsService;
  static boost::asio::execution_context::id id;

  explicit EndpointsService(boost::asio::execution_context& context) : service(context) {}
  void shutdown() override {}

  Endpoints endpoints;
};

boost::asio::execution_context::id EndpointsService::id;

}  // namespace

void Endpoint::began(bool probe) {
  if (probe && breaker_.began()) tell();
}

void Endpoint::answered(TimePoint sent) {
  last_answered_ = std::max(last_answered_.value_or(sent), sent);
  outage_.reset();
  const bool was_closed = breaker_.closed();
  breaker_.succeeded();
  if (!was_closed) tell();
}

void Endpoint::failed(const Failure& failure, const Seen& seen, const CircuitBreaker::Pauses& pauses) {
  if (!outage_) outage_ = Outage{.since = seen.now, .since_wall = seen.wall, .last = {}};
  outage_->last = failure;
  const bool was_closed = breaker_.closed();
  breaker_.failed(seen.now, seen.probe, {.at_once = failure.at_once, .wait_s = failure.wait_s}, pauses,
                  seen.random);
  if (seen.probe || was_closed != breaker_.closed()) tell();
}

void Endpoint::abandoned(bool probe) {
  if (!probe || breaker_.closed()) return;
  breaker_.abandoned();
  tell();
}

int Endpoint::listen(std::function<void()> changed) {
  listeners_.emplace(next_listener_, std::move(changed));
  return next_listener_++;
}

void Endpoint::tell() const {
  for (const auto& [listener, changed] : listeners_) changed();
}

std::shared_ptr<Endpoint> Endpoints::at(const std::string& origin, const std::string& host) {
  auto& endpoint = by_origin_[origin];
  if (!endpoint) endpoint = std::make_shared<Endpoint>(host);
  return endpoint;
}

Endpoints& endpoints_of(boost::asio::io_context& io) {
  return boost::asio::use_service<EndpointsService>(io).endpoints;
}

}  // namespace ridgeline::llm
