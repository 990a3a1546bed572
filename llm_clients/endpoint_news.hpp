// What a client tells of its endpoints: that one is waited for, is probed, answers again. Says each once.
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

  /// Adds to the news what has changed of `endpoint`. `needed`: this client has a request that waits for it.
  void look(const Endpoint& endpoint, bool needed, TimePoint now, WallTime wall);
  /// The news in their order, once.
  std::vector<EndpointState> take() { return std::exchange(news_, {}); }
  bool any() const { return !news_.empty(); }

 private:
  struct Told {
    EndpointState state;
    TimePoint until;
    bool probing = false;
  };

  std::string model_;
  std::map<const Endpoint*, Told> told_;  ///< those that are waited for
  std::vector<EndpointState> news_;
};

}  // namespace ridgeline::llm
