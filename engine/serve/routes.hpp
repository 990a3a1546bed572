// Parses the target of a request into the page that it names. Pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "engine/store/records.hpp"

namespace ridgeline::serve {

/// Names the overview of all campaigns.
struct Overview {};
/// Names the page of a trajectory.
struct TrajectoryPage {
  store::Id id = 0;
};
/// Names the page of a prompt, by its address within a trajectory: "2.0" is step 2, slot 0.
struct PromptPage {
  store::Id id = 0;
  std::string address;
};
/// Asks for the parts of the overview that changed since a version.
struct OverviewNews {
  std::string since;
};
/// Asks for the parts of a trajectory's page that changed since a version.
struct TrajectoryNews {
  store::Id id = 0;
  std::string since;
};
/// Names no page of the site.
struct Unknown {};

using Route = std::variant<Overview, TrajectoryPage, PromptPage, OverviewNews, TrajectoryNews, Unknown>;

/// Parses one of these targets; any other path is Unknown:
///   /    /live?since=V    /trajectory/N    /trajectory/N/live?since=V    /trajectory/N/prompt/STEP.SLOT
/// `since` may be missing, and must stand first; any other query is ignored. Whether STEP.SLOT exists is not
/// checked here.
Route route_of(std::string_view target);

/// Returns whether a Host header names this machine by a loopback name, with or without a port. A request
/// with another name may come from a page elsewhere that had its own name resolved to 127.0.0.1 (DNS
/// rebinding).
bool is_loopback(std::string_view host);

}  // namespace ridgeline::serve
