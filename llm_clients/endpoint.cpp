#include "llm_clients/endpoint.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>

namespace ridgeline::llm {
namespace {

/// Asio keeps one such service per io_context and makes it at its first use. So clients share endpoints
/// without a global variable.
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

void Endpoint::answer_began(CircuitBreaker::Probe probe) {
  if (breaker_.began(probe)) notify_listeners();
}

void Endpoint::answered(TimePoint sent) {
  // Answers do not come in the order of their requests.
  last_answered_ = std::max(last_answered_.value_or(sent), sent);
  outage_.reset();
  const bool was_closed = breaker_.closed();
  breaker_.succeeded();
  if (!was_closed) notify_listeners();
}

void Endpoint::failed(const Failure& failure, const FailureContext& context,
                      const CircuitBreaker::Pauses& pauses) {
  // `since` stays that of the first failure, from which patience counts.
  if (!outage_) outage_ = Outage{.since = context.now, .since_wall = context.wall, .last = {}};
  outage_->last = failure;
  const bool was_closed = breaker_.closed();
  breaker_.failed(context.now, context.probe,
                  {.opens_at_once = failure.opens_breaker, .wait_s = failure.wait_s}, pauses, context.random);
  // A failed probe changes the time of the next one, for which other clients wait too.
  if (context.probe != CircuitBreaker::Probe::none || was_closed != breaker_.closed()) notify_listeners();
}

void Endpoint::abandoned(CircuitBreaker::Probe probe) {
  if (breaker_.abandoned(probe)) notify_listeners();
}

int Endpoint::listen(std::function<void()> changed) {
  listeners_.emplace(next_listener_, std::move(changed));
  return next_listener_++;
}

void Endpoint::notify_listeners() const {
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
