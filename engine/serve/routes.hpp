// Which page a request asks for. Pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "engine/store/records.hpp"

namespace ridgeline::serve {

struct Overview {};
struct TrajectoryPage {
  store::Id id = 0;
};
/// What was sent at one address of a trajectory, "2.0".
struct PromptPage {
  store::Id id = 0;
  std::string address;
};
/// What changed of a page since the version that the asker holds.
struct OverviewNews {
  std::string since;
};
struct TrajectoryNews {
  store::Id id = 0;
  std::string since;
};
struct Unknown {};

using Route = std::variant<Overview, TrajectoryPage, PromptPage, OverviewNews, TrajectoryNews, Unknown>;

///   /    /live?since=V    /trajectory/N    /trajectory/N/live?since=V    /trajectory/N/prompt/STEP.SLOT
Route route_of(std::string_view target);

/// Whether a Host header names this machine by a loopback name, with or without a port. Any other name may be
/// a page elsewhere that had its own name resolved to 127.0.0.1 (DNS rebinding).
bool is_loopback(std::string_view host);

}  // namespace ridgeline::serve
