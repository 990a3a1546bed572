#include "engine/compare/structure_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "engine/compare/groups.hpp"
#include "engine/compare/paired_statistics.hpp"
#include "engine/core/statistics.hpp"

namespace ridgeline::compare {
namespace {

constexpr int permutations = 2000;
constexpr std::size_t least_tasks = 5;

/// The place of each value among all, those that are equal sharing the mean of theirs.
std::vector<double> mid_ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    auto end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (auto i = begin; i < end; ++i) ranks[order[i]] = static_cast<double>(begin + end - 1) / 2;
    begin = end;
  }
  return ranks;
}

/// Moves to mean 0 and scales to length 1; all 0 if the values never differ.
void normalize(std::vector<double>& values) {
  const double middle = mean(values);
  double squares = 0;
  for (auto& value : values) {
    value -= middle;
    squares += value * value;
  }
  if (squares > 0)
    for (auto& value : values) value /= std::sqrt(squares);
}

double product(const std::vector<double>& first, const std::vector<double>& second) {
  return std::inner_product(first.begin(), first.end(), second.begin(), 0.0);
}

/// Sums up the trajectories of one task under one strategy.
struct ProxySums {
  TaskStructure structure;
  double trajectories = 0, solved = 0, timed = 0, logarithms = 0;
};

std::map<std::string, ProxySums> by_task(const StrategyGroup& group) {
  std::map<std::string, ProxySums> tasks;
  for (const auto& cut : group.trajectories) {
    if (!cut.trajectory->structure) continue;
    auto& task = tasks[cut.trajectory->task];
    task.structure = *cut.trajectory->structure;
    const auto score = score_of(cut.outcome);
    ++task.trajectories;
    task.solved += score.solved;
    if (!score.timed()) continue;
    ++task.timed;
    task.logarithms += std::log(score.speedup);
  }
  return tasks;
}

struct Proxy {
  const char* name;
  int TaskStructure::* count;
};
constexpr std::array proxies{Proxy{"operators", &TaskStructure::operators},
                             Proxy{"reductions", &TaskStructure::reductions},
                             Proxy{"indexing", &TaskStructure::indexing},
                             Proxy{"outputs", &TaskStructure::outputs}, Proxy{"rank", &TaskStructure::rank}};

StructureRow row_of(std::size_t strategy, const Proxy& proxy, const std::map<std::string, ProxySums>& tasks) {
  std::vector<double> counts, solved, counts_timed, speed;
  for (const auto& [name, task] : tasks) {
    counts.push_back(task.structure.*proxy.count);
    solved.push_back(task.solved / task.trajectories);
    if (task.timed == 0) continue;
    counts_timed.push_back(counts.back());
    speed.push_back(task.logarithms / task.timed);
  }
  return {strategy, proxy.name, spearman(counts, solved), spearman(counts_timed, speed)};
}

void adjust(std::vector<StructureRow>& rows, Correlation StructureRow::* kind) {
  std::vector<double> p;
  for (const auto& row : rows) p.push_back((row.*kind).p);
  const auto adjusted = holm(p);
  for (std::size_t i = 0; i < rows.size(); ++i) (rows[i].*kind).p_holm = adjusted[i];
}

}  // namespace

Correlation spearman(const std::vector<double>& first, const std::vector<double>& second) {
  Correlation found{.tasks = static_cast<int>(first.size())};
  if (first.size() < least_tasks) return found;
  auto one = mid_ranks(first), other = mid_ranks(second);
  normalize(one);
  normalize(other);
  found.rho = product(one, other);
  if (product(one, one) == 0 || product(other, other) == 0) return found;
  Random random(0x5eed);
  int as_far = 0;
  for (int i = 0; i < permutations; ++i) {
    for (std::size_t k = other.size(); k > 1; --k) std::swap(other[k - 1], other[random.below(k)]);
    as_far += std::abs(product(one, other)) >= std::abs(found.rho) - 1e-12;
  }
  found.p = (as_far + 1.0) / (permutations + 1.0);
  return found;
}

std::vector<StructureRow> structure_rows(const std::vector<StrategyGroup>& groups) {
  std::vector<StructureRow> rows;
  for (std::size_t strategy = 0; strategy < groups.size(); ++strategy) {
    const auto tasks = by_task(groups[strategy]);
    if (tasks.size() < least_tasks) continue;
    for (const auto& proxy : proxies) rows.push_back(row_of(strategy, proxy, tasks));
  }
  adjust(rows, &StructureRow::solved);
  adjust(rows, &StructureRow::speedup);
  return rows;
}

}  // namespace ridgeline::compare
