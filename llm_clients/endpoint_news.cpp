#include "llm_clients/endpoint_news.hpp"

#include <utility>

namespace ridgeline::llm {

void EndpointNews::update(const Endpoint& endpoint, bool needed, TimePoint now, WallTime wall) {
  const auto found = reported_.find(&endpoint);
  const auto& outage = endpoint.outage();
  if (endpoint.breaker().closed() || !outage) {
    // An outage that no request waited for was never reported, so neither is its end.
    if (found == reported_.end()) return;
    auto state = std::move(found->second.state);
    reported_.erase(found);
    state.waiting = false;
    state.next_probe = wall;
    news_.push_back(std::move(state));
    return;
  }
  if (!needed) return;
  // A new pause or a new probe is a change; the same state again is not.
  const bool probing = std::holds_alternative<CircuitBreaker::WaitForProbe>(endpoint.breaker().decide(now));
  const auto until = endpoint.breaker().next_probe();
  if (found != reported_.end() && found->second.until == until && found->second.probing == probing) return;
  const auto ahead = std::chrono::duration_cast<WallTime::duration>(until - now);
  // The breaker counts in the steady clock; people read the wall clock.
  const bool later = !probing && until > now;
  Report report{.state = {.model = model_,
                          .host = endpoint.host(),
                          .waiting = true,
                          .since = outage->since_wall,
                          .why = outage->last.why,
                          .next_probe = later ? wall + ahead : wall},
                .until = until,
                .probing = probing};
  news_.push_back(report.state);
  reported_[&endpoint] = std::move(report);
}

}  // namespace ridgeline::llm
