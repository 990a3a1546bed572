// Builds trajectories for tests with few words: a token budget of 100 and 0.01 USD a call, one evaluation a
// candidate.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/compare/compare.hpp"
#include "engine/compare/trajectory.hpp"

namespace ridgeline::compare::samples {

inline CandidateOutcome broken() {
  return {.candidate = "broken", .ending = Ending::compilation_error};
}
inline CandidateOutcome wrong() {
  return {.candidate = "wrong", .compiled = true, .callable = true, .ending = Ending::correctness_issue};
}
inline CandidateOutcome correct(double speedup) {
  return {.candidate = "correct " + std::to_string(speedup),
          .compiled = true,
          .callable = true,
          .correct = true,
          .speedup = speedup,
          .faithful = true,
          .faithful_speedup = speedup,
          .ending = Ending::correct,
          .device = "cpu"};
}
inline CandidateOutcome flagged(double speedup) {
  auto outcome = correct(speedup);
  outcome.doubt = "case small: operations over peak (2.0x)";
  outcome.rooflines = {{.case_name = "small", .operations = 5e9, .seconds = 1e-3, .intensity = 0.6}};
  return outcome;
}
/// The machine failed. What the judge had found before it did is no verdict.
inline CandidateOutcome lost() {
  return {.candidate = "lost", .judged = false, .compiled = true, .ending = Ending::not_judged};
}
inline const std::optional<CandidateOutcome> critic = std::nullopt;

/// One call a round; nullopt is a call without a candidate.
inline ComparedTrajectory trajectory(std::string strategy, std::string task,
                                     std::vector<std::optional<CandidateOutcome>> outcomes,
                                     std::string category = "Math") {
  ComparedTrajectory made{.strategy = std::move(strategy),
                          .model = "model",
                          .language = "cpp",
                          .task = std::move(task),
                          .category = std::move(category),
                          .points = {}};
  TrajectoryPoint point;
  for (auto& outcome : outcomes) {
    point.round = point.calls++;
    point.tokens += 100;
    point.usd += 0.01;
    point.evaluations += outcome.has_value();
    point.outcome = std::move(outcome);
    made.points.push_back(point);
  }
  return made;
}

/// Two strategies on two tasks, each with something that a page must escape or leave out.
inline Comparison two_strategies() {
  auto fast = correct(4);
  fast.rooflines = {{.case_name = "small", .operations = 5e6, .seconds = 1e-3, .intensity = 0.6}};
  auto comparison = compare(
      {trajectory("single", "softmax", {correct(0.5)}), trajectory("single", "gemm", {broken()}, "MatMul"),
       trajectory("loop <b>", "softmax", {wrong(), critic, fast}),
       trajectory("loop <b>", "gemm", {wrong()}, "MatMul")},
      {});
  comparison.campaigns = {"a & b"};
  comparison.ceilings = {{.device = "cpu", .bandwidth = 2e10, .peaks = {{"fp32", 1e11}}}};
  return comparison;
}

}  // namespace ridgeline::compare::samples
