#include "engine/compare/trajectory.hpp"

#include <tuple>

#include "engine/compare/score.hpp"

namespace ridgeline::compare {
namespace {

auto rank(const CandidateOutcome& outcome, CorrectnessRule rule) {
  const auto score = score_of(&outcome, rule);
  return std::tuple(score.solved, score.speedup, outcome.compiled);
}

bool within(const TrajectoryPoint& point, const BudgetLimits& limits) {
  return (!limits.calls || point.calls <= *limits.calls) &&
         (!limits.tokens || point.tokens <= *limits.tokens) && (!limits.usd || point.usd <= *limits.usd) &&
         (!limits.evaluations || point.evaluations <= *limits.evaluations) &&
         (!limits.wall_seconds || point.wall_seconds <= *limits.wall_seconds) &&
         (!limits.gpu_seconds || point.gpu_seconds <= *limits.gpu_seconds);
}

}  // namespace

void set_flagged_aside(std::vector<ComparedTrajectory>& trajectories) {
  for (auto& trajectory : trajectories)
    for (auto& point : trajectory.points) {
      if (!point.outcome || !point.outcome->flagged()) continue;
      point.outcome->speedup = point.outcome->speedup_low = point.outcome->speedup_high = 0;
      point.outcome->rooflines.clear();
      point.outcome->evaluation = 0;
    }
}

std::size_t points_within(const ComparedTrajectory& trajectory, const BudgetLimits& limits) {
  std::size_t count = 0;
  while (count < trajectory.points.size() && within(trajectory.points[count], limits)) ++count;
  return count;
}

const CandidateOutcome* scored(const ComparedTrajectory& trajectory, std::size_t count, Scoring scoring,
                               CorrectnessRule rule) {
  const CandidateOutcome* best = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& outcome = trajectory.points[i].outcome;
    if (!outcome || !outcome->judged) continue;
    // The earlier of two equals stays: it cost less.
    if (best == nullptr || scoring == Scoring::last || rank(*outcome, rule) > rank(*best, rule))
      best = &*outcome;
  }
  return best;
}

bool none_judged(const ComparedTrajectory& trajectory, std::size_t count) {
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& outcome = trajectory.points[i].outcome;
    if (outcome && outcome->judged) return false;
    any = any || outcome.has_value();
  }
  return any;
}

Origin origin_of(const ComparedTrajectory& trajectory, std::size_t count) {
  bool failed_before = false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& outcome = trajectory.points[i].outcome;
    if (!outcome) continue;
    if (outcome->correct) return failed_before ? Origin::rescued : Origin::persistent;
    if (outcome->judged) failed_before = true;
  }
  return Origin::unsolved;
}

}  // namespace ridgeline::compare
