// Makes a compared trajectory of what the store says about its attempts.
#include <algorithm>
#include <iterator>
#include <map>

#include "engine/compare/loading.hpp"
#include "engine/compare/quantization_rows.hpp"
#include "engine/core/statistics.hpp"
#include "engine/store/figures.hpp"
#include "engine/store/model_name.hpp"
#include "engine/store/why_incomplete.hpp"

namespace ridgeline::compare {
namespace {

Ending ending_of(const store::EvaluationFigures& figures) {
  if (figures.correct) return Ending::correct;
  if (!figures.judged) return Ending::not_judged;
  const bool by_its_fault = figures.failed_at && figures.failed_status == Status::failed;
  return ending_of_failure(by_its_fault ? figures.failed_at : std::nullopt, figures.reason);
}

/// Whether it was loaded and its calls ended, as KernelBench-X's call accuracy asks.
bool is_callable(const store::EvaluationFigures& figures) {
  return figures.judged && figures.compiled && figures.failed_at != Stage::build &&
         figures.failed_at != Stage::call;
}

/// The median of each figure over the cases and outputs of one kernel.
std::optional<QuantizationDistance> median_distance(const std::vector<QuantizationDistance>& all) {
  if (all.empty()) return std::nullopt;
  QuantizationDistance middle;
  for (const auto figure : distance_figures) {
    std::vector<double> values;
    for (const auto& one : all) values.push_back(one.*figure);
    middle.*figure = median(std::move(values));
  }
  return middle;
}

CandidateOutcome outcome_of(const store::EvaluationFigures& figures) {
  CandidateOutcome outcome;
  outcome.candidate = figures.candidate;
  outcome.evaluated_at = figures.started_at;
  outcome.evaluation = figures.id;
  outcome.judged = figures.judged;
  outcome.compiled = figures.compiled;
  outcome.callable = is_callable(figures);
  outcome.not_quantized = figures.judged && figures.reason == Reason::not_quantized;
  outcome.quantization = median_distance(figures.quantization);
  outcome.correct = figures.correct;
  outcome.faithful = figures.judged && figures.faithful;  // in old stores both may be set
  outcome.faithful_speedup = outcome.faithful ? figures.speedup : 0;
  outcome.ending = ending_of(figures);
  outcome.final_failures = figures.final_failures;
  outcome.device = figures.device;
  if (!outcome.correct) return outcome;
  outcome.speedup = figures.speedup;
  outcome.speedup_low = figures.speedup_low;
  outcome.speedup_high = figures.speedup_high;
  outcome.doubt = figures.doubt;
  return outcome;
}

bool reached_a_model(const store::AttemptFigures& attempt) {
  if (attempt.answer == AnswerStatus::cancelled) return attempt.sent;
  return attempt.answer != AnswerStatus::budget_exhausted &&
         attempt.answer != AnswerStatus::missing_recording;
}

/// The time that spans cover together, those that overlap once: what lies between two runs of a campaign
/// counts nowhere.
class Covered {
 public:
  void add(store::Milliseconds begin, store::Milliseconds end) {
    if (end <= begin) return;
    // All spans that touch the new one become one with it.
    auto at = spans_.upper_bound(begin);
    if (at != spans_.begin() && std::prev(at)->second >= begin) --at;
    while (at != spans_.end() && at->first <= end) {
      begin = std::min(begin, at->first);
      end = std::max(end, at->second);
      sum_ -= at->second - at->first;
      at = spans_.erase(at);
    }
    spans_.emplace(begin, end);
    sum_ += end - begin;
  }
  double seconds() const { return static_cast<double>(sum_) / 1000; }

 private:
  std::map<store::Milliseconds, store::Milliseconds> spans_;  // disjoint: begin, end
  store::Milliseconds sum_ = 0;
};

}  // namespace

ComparedTrajectory compared_trajectory_of(const store::TrajectoryRecord& trajectory,
                                          std::span<const store::AttemptFigures> attempts,
                                          const CompiledSpeedups& compiled) {
  ComparedTrajectory compared{.strategy = trajectory.strategy,
                              .model = store::model_name(trajectory),
                              .language = std::string(to_string(trajectory.language)),
                              .task = trajectory.task_name,
                              .category = trajectory.category,
                              .seed = trajectory.seed,
                              .task_hash = trajectory.task_hash,
                              .identity = trajectory.identity.empty() ? "" : sha256(trajectory.identity),
                              .id = trajectory.id,
                              .incomplete = store::why_incomplete(trajectory),
                              .points = {}};
  TrajectoryPoint point;
  Covered wall;
  for (const auto& attempt : attempts) {
    point.outcome.reset();
    const bool reached = reached_a_model(attempt);
    if (reached) {
      ++point.calls;
      point.tokens += attempt.tokens;
      point.usd += attempt.usd;
      wall.add(attempt.started_at, attempt.ended_at);
    }
    const auto& evaluation = attempt.evaluation;
    const bool evaluated = evaluation && evaluation->status == EvaluationStatus::evaluated;
    if (!evaluated && !reached) continue;
    if (evaluated) {
      ++point.evaluations;
      point.gpu_seconds += evaluation->gpu_seconds;
      wall.add(evaluation->started_at, evaluation->ended_at);
      point.outcome = outcome_of(*evaluation);
      const auto known = compiled.find({trajectory.task_hash, evaluation->device});
      if (known != compiled.end()) point.outcome->compiled_references = known->second;
    }
    point.wall_seconds = wall.seconds();
    point.round = attempt.round;
    point.critic = attempt.critic;
    compared.points.push_back(point);
  }
  return compared;
}

}  // namespace ridgeline::compare
