// Finds the page that a request asks for. Pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "engine/store/records.hpp"

namespace ridgeline::serve {

/// The overview of all campaigns.
struct Overview {};
/// One trajectory.
struct TrajectoryPage {
  store::Id id = 0;
};
/// The prompt at one address of a trajectory, "2.0" (step and slot).
struct PromptPage {
  store::Id id = 0;
  std::string address;
};
/// The parts of the overview that changed since a version.
struct OverviewNews {
  std::string since;
};
/// The parts of a trajectory's page that changed since a version.
struct TrajectoryNews {
  store::Id id = 0;
  std::string since;
};
/// No page of the site.
struct Unknown {};

using Route = std::variant<Overview, TrajectoryPage, PromptPage, OverviewNews, TrajectoryNews, Unknown>;

/// Parses one of these targets; anything else is Unknown:
///   /    /live?since=V    /trajectory/N    /trajectory/N/live?since=V    /trajectory/N/prompt/STEP.SLOT
Route route_of(std::string_view target);

/// Says whether a Host header names this machine by a loopback name, with or without a port. Any other name
/// may belong to a page elsewhere that had its own name resolved to 127.0.0.1 (DNS rebinding).
bool is_loopback(std::string_view host);

}  // namespace ridgeline::serve
