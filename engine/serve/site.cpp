#include "engine/serve/site.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"
#include "engine/history/history_text.hpp"
#include "engine/report/trajectory_html.hpp"
#include "engine/serve/overview.hpp"

namespace ridgeline::serve {
namespace {

std::string link_to_overview() {
  return link("/", "all trajectories");
}

store::TrajectoryRecord trajectory_in(const store::Reader& reader, store::Id id) {
  if (auto trajectory = reader.trajectory(id)) return std::move(*trajectory);
  throw BadInput(fmt::format("There is no trajectory {} in this store.", id));
}

/// Returns the trajectory's address, "task/strategy/seed", as the terminal prints it.
std::string name_of(const store::TrajectoryRecord& trajectory) {
  return fmt::format("{}/{}/{}", trajectory.task_name, trajectory.strategy, trajectory.seed);
}

}  // namespace

Site::Site(const store::Store& store, Comparer::Background background, Comparer::Clock clock)
    : store_(store), comparer_(store, std::move(background), std::move(clock)) {}

// The host is checked before anything else, so that a page elsewhere cannot even learn what exists here.
Response Site::respond(const Request& request) {
  if (!is_loopback(request.host))
    return plain(403, "This page is for this machine alone: open it as http://127.0.0.1, with its port.");
  if (request.method != "GET") {
    auto refused = plain(405, "Only GET is answered.");
    refused.headers.emplace_back("Allow", "GET");
    return refused;
  }
  try {
    return std::visit([this](const auto& route) { return answer(route); }, route_of(request.target));
  } catch (const BadInput& error) {
    return plain(404, error.what());
  } catch (const MachineCannot& error) {
    return plain(503, error.what());
  } catch (const std::exception& error) {
    return plain(500, error.what());
  }
}

std::string Site::overview_version(const std::optional<std::string>& mark,
                                   const Comparer::Current& comparison) const {
  return mark ? fmt::format("{}.{}", *mark, comparison.version) : std::string();
}

Parts Site::overview_parts(const Comparer::Current& comparison) const {
  const store::Reader reader(store_);
  Parts parts{{"progress", ""}, {"comparison", comparison.html}};
  for (auto& campaign : reader.campaigns())
    parts[0].second += overview_html(read_campaign(reader, std::move(campaign)));
  return parts;
}

Response Site::answer(const Overview&) {
  // Taken before the store is read: whatever is committed meanwhile comes with the next news.
  const auto mark = store_.mark();
  const auto comparison = comparer_.current(mark);
  return render({.title = std::filesystem::path(store_.path()).filename().string(),
                 .navigation = "Ridgeline",
                 .live = "/live",
                 .version = overview_version(mark, comparison),
                 .parts = overview_parts(comparison)});
}

Response Site::answer(const OverviewNews& asked) {
  const auto mark = store_.mark();
  const auto comparison = comparer_.current(mark);
  const auto version = overview_version(mark, comparison);
  if (!version.empty() && version == asked.since) return no_news();
  return news(version, overview_parts(comparison));
}

Site::State Site::trajectory_state(store::Id id) const {
  const auto mark = store_.mark();
  const store::Reader reader(store_);
  const auto trajectory = trajectory_in(reader, id);
  const auto prompt_of = [id](const store::AskRecord& ask) {
    return "<p>" + link(fmt::format("/trajectory/{}/prompt/{}", id, history::address_of(ask)), "prompt") +
           "</p>";
  };
  return {mark.value_or(""),
          {{"rounds", report::trajectory_html(trajectory, reader.attempts(id), history::sources_in(reader),
                                              {.prompt_of = prompt_of})}}};
}

Response Site::answer(const TrajectoryPage& asked) {
  auto state = trajectory_state(asked.id);
  return render({.title = name_of(trajectory_in(store::Reader(store_), asked.id)),
                 .navigation = link_to_overview(),
                 .live = fmt::format("/trajectory/{}/live", asked.id),
                 .version = std::move(state.version),
                 .parts = std::move(state.parts)});
}

Response Site::answer(const TrajectoryNews& asked) {
  const auto mark = store_.mark();
  if (mark && *mark == asked.since) return no_news();  // without a look at the trajectory
  const auto state = trajectory_state(asked.id);
  return news(state.version, state.parts);
}

Response Site::answer(const PromptPage& asked) {
  const store::Reader reader(store_);
  const auto trajectory = trajectory_in(reader, asked.id);
  std::vector<std::string> addresses;
  for (const auto& attempt : reader.attempts(asked.id)) {
    addresses.push_back(history::address_of(attempt.ask));
    if (addresses.back() != asked.address) continue;
    const auto page = fmt::format("/trajectory/{}", asked.id);
    return render({.title = fmt::format("Prompt {} of {}", asked.address, name_of(trajectory)),
                   .navigation = link_to_overview() + " · " + link(page, name_of(trajectory)),
                   .live = "",
                   .version = "",
                   .parts = {{"prompt", report::prompt_html(attempt.ask)}}});
  }
  throw BadInput("Nothing was asked at '" + asked.address + "'" + suggestion(asked.address, addresses) + ".");
}

Response Site::answer(const Unknown&) {
  throw BadInput("There is no such page.");
}

}  // namespace ridgeline::serve
