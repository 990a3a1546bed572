#include "engine/report/embedded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/report/html.hpp"
#include "engine/report/trajectory_html.hpp"
#include "engine/store/reader.hpp"

namespace ridgeline::report {
namespace {

using compare::Comparison;
using compare::TrajectoryResult;

/// Indices of all trajectories, those that say most first: of every task and strategy the n-th best before
/// any (n + 1)-th; with equal n, of every task its best strategy before any second.
std::vector<std::size_t> by_worth(const Comparison& comparison) {
  const auto& all = comparison.trajectories;
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto worth = [&](std::size_t i) { return std::pair(all[i].score.solved, all[i].score.speedup); };
    return worth(a) > worth(b);
  });
  using Place = std::pair<std::string, std::size_t>;
  std::map<Place, std::size_t> before, strategies;  // by task and strategy; by task and rank
  std::vector<std::pair<std::size_t, std::size_t>> ranks(all.size());
  for (const auto index : order) {
    const auto rank = before[Place(all[index].task, all[index].strategy)]++;
    ranks[index] = {rank, strategies[Place(all[index].task, rank)]++};
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
  return order;
}

std::string rendered(const Comparison& comparison, const TrajectoryResult& result,
                     const store::Reader& reader) {
  const auto trajectory = reader.trajectory(result.id);
  if (!trajectory) return "";
  const auto prefix = trajectory_id(result) + "-";
  const auto prompt_of = [&](const store::AskRecord& ask) {
    return folded(fmt::format("prompt-{}{}-{}", prefix, ask.step, ask.slot), "prompt", prompt_html(ask));
  };
  const auto content = trajectory_html(*trajectory, reader.attempts(result.id, store::AskTexts::prompt),
                                       history::sources_in(reader),
                                       {.prompt_of = prompt_of, .prefix = prefix, .answers = false});
  const auto speed = result.score.timed()  ? fmt::format(", {:.2f}×", result.score.speedup)
                     : result.score.solved ? std::string(", correct")
                                           : std::string();
  return folded(trajectory_id(result),
                fmt::format("#{} {} · {} · seed {}{}", result.id, result.task,
                            comparison.strategies[result.strategy].label, result.seed, speed),
                content);
}

}  // namespace

std::string trajectory_id(const TrajectoryResult& result) {
  return fmt::format("t{}-{}", result.store, result.id);
}

Embedded embed_trajectories(const Comparison& comparison, const std::vector<Source>& sources,
                            std::size_t most_bytes) {
  Embedded embedded;
  std::map<std::size_t, std::string> parts;  // by index, so that the page has them in the order of the plan
  std::size_t bytes = 0, misses = 0;
  for (const auto index : by_worth(comparison)) {
    const auto& result = comparison.trajectories[index];
    if (result.store >= sources.size() || sources[result.store].reader == nullptr) continue;
    // A large one may not fit where a small one still does; a few misses say that the room is used up.
    if (misses >= 5) break;
    auto html = rendered(comparison, result, *sources[result.store].reader);
    if (html.empty()) continue;
    if (bytes + html.size() > most_bytes) {
      ++misses;
      continue;
    }
    bytes += html.size();
    embedded.chosen.insert(index);
    parts.emplace(index, std::move(html));
  }
  for (const auto& [index, html] : parts) embedded.html += html;
  embedded.left_out = comparison.trajectories.size() - embedded.chosen.size();
  return embedded;
}

}  // namespace ridgeline::report
