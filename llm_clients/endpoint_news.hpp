// Collects the reports of a client about its endpoints: requests wait for one, it is probed, it answers
// again. Reports each change once. Does no I/O.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "llm_clients/client.hpp"
#include "llm_clients/endpoint.hpp"

namespace ridgeline::llm {

class EndpointNews {
 public:
  explicit EndpointNews(std::string model) : model_(std::move(model)) {}

  /// Adds a report if the state of `endpoint` has changed. `needed`: a request of this client waits for it.
  void update(const Endpoint& endpoint, bool needed, TimePoint now, WallTime wall);
  /// Returns the reports in order and forgets them.
  std::vector<EndpointState> take() { return std::exchange(news_, {}); }
  bool any() const { return !news_.empty(); }

 private:
  struct Report {
    EndpointState state;
    TimePoint until;  ///< when the pause that was reported ends
    bool probing = false;
  };

  std::string model_;
  std::map<const Endpoint*, Report> reported_;  ///< the latest report on each endpoint that requests wait for
  std::vector<EndpointState> news_;
};

}  // namespace ridgeline::llm
