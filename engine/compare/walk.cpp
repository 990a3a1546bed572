#include "engine/compare/walk.hpp"

#include <tuple>

namespace ridgeline::compare {
namespace {

auto rank(const Outcome& outcome) {
  return std::tuple(outcome.correct, outcome.speedup, outcome.compiled);
}

bool within(const WalkPoint& point, const Limits& limits) {
  return (!limits.calls || point.calls <= *limits.calls) &&
         (!limits.tokens || point.tokens <= *limits.tokens) && (!limits.usd || point.usd <= *limits.usd) &&
         (!limits.evaluations || point.evaluations <= *limits.evaluations);
}

}  // namespace

void set_flagged_aside(std::vector<Walk>& walks) {
  for (auto& walk : walks)
    for (auto& point : walk.points) {
      if (!point.outcome || !point.outcome->flagged()) continue;
      point.outcome->speedup = 0;
      point.outcome->rooflines.clear();
    }
}

std::size_t points_within(const Walk& walk, const Limits& limits) {
  std::size_t count = 0;
  while (count < walk.points.size() && within(walk.points[count], limits)) ++count;
  return count;
}

const Outcome* scored(const Walk& walk, std::size_t count, Scoring scoring) {
  const Outcome* chosen = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& outcome = walk.points[i].outcome;
    if (!outcome || !outcome->judged) continue;
    // Of equals the earlier stays: it was had for less.
    if (chosen == nullptr || scoring == Scoring::last || rank(*outcome) > rank(*chosen)) chosen = &*outcome;
  }
  return chosen;
}

bool none_judged(const Walk& walk, std::size_t count) {
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& outcome = walk.points[i].outcome;
    if (outcome && outcome->judged) return false;
    any = any || outcome.has_value();
  }
  return any;
}

Origin origin_of(const Walk& walk, std::size_t count) {
  bool failed_before = false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& outcome = walk.points[i].outcome;
    if (!outcome) continue;
    if (outcome->correct) return failed_before ? Origin::rescued : Origin::persistent;
    if (outcome->judged) failed_before = true;
  }
  return Origin::unsolved;
}

}  // namespace ridgeline::compare
