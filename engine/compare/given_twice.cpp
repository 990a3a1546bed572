#include "engine/compare/given_twice.hpp"

#include <map>
#include <string>
#include <tuple>

namespace ridgeline::compare {
namespace {

/// All candidates in their order; "" if there are none, which says nothing.
std::string candidates_of(const ComparedTrajectory& trajectory) {
  std::string all;
  for (const auto& point : trajectory.points)
    if (point.outcome) all += point.outcome->candidate + "\n";
  return all;
}

auto progress_of(const ComparedTrajectory& trajectory) {
  return std::tuple(trajectory.incomplete.empty(), trajectory.points.size());
}

/// Removes all but the furthest of those for which `key` returns the same text; "" is no key.
template <class Key>
int keep_furthest(std::vector<ComparedTrajectory>& trajectories, Key key) {
  std::map<std::string, std::size_t> kept;
  std::vector<bool> twice(trajectories.size());
  for (std::size_t i = 0; i < trajectories.size(); ++i) {
    const auto text = key(trajectories[i]);
    if (text.empty()) continue;
    const auto [found, first] = kept.emplace(text, i);
    if (first) continue;
    const bool further = progress_of(trajectories[i]) > progress_of(trajectories[found->second]);
    twice[further ? found->second : i] = true;
    if (further) found->second = i;
  }
  std::size_t at = 0;
  return static_cast<int>(
      std::erase_if(trajectories, [&](const ComparedTrajectory&) { return bool{twice[at++]}; }));
}

}  // namespace

int remove_given_twice(std::vector<ComparedTrajectory>& trajectories) {
  const int copies =
      keep_furthest(trajectories, [](const ComparedTrajectory& trajectory) { return trajectory.origin; });
  const int judged_again = keep_furthest(trajectories, [](const ComparedTrajectory& trajectory) {
    const auto candidates = candidates_of(trajectory);
    if (trajectory.identity.empty() || candidates.empty()) return std::string();
    return trajectory.side + "\n" + trajectory.identity + "\n" + candidates;
  });
  return copies + judged_again;
}

}  // namespace ridgeline::compare
