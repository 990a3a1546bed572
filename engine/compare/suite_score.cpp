#include "engine/compare/suite_score.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/compare/groups.hpp"
#include "engine/compare/score.hpp"
#include "engine/suites/posing_mark.hpp"

namespace ridgeline::compare {
namespace {

Ending ending(const CandidateOutcome* outcome, CorrectnessRule rule) {
  if (outcome == nullptr) return Ending::no_answer;
  if (!outcome->judged) return Ending::not_judged;
  if (score_of(outcome, rule).solved) return Ending::correct;
  return outcome->ending == Ending::correct ? Ending::correctness_issue : outcome->ending;
}

/// Whether all calls belong to the first round: they were made at once and knew nothing of each other.
bool is_independent(const CutTrajectory& cut) {
  return std::all_of(cut.trajectory->points.begin(),
                     cut.trajectory->points.begin() + static_cast<std::ptrdiff_t>(cut.points),
                     [](const TrajectoryPoint& point) { return point.round == 0; });
}

/// The outcome that stands for a trajectory under a rule; null if no candidate was judged.
const CandidateOutcome* scored_under(const CutTrajectory& cut, CorrectnessRule rule, Scoring scoring) {
  return scored(*cut.trajectory, cut.points, is_independent(cut) ? Scoring::best : scoring, rule);
}

struct Samples {
  int all = 0, right = 0;
};

/// Counts each independent call as a sample, and a chain as one sample, by its scored kernel.
Samples samples_of(const CutTrajectory& cut, CorrectnessRule rule, Scoring scoring) {
  if (!is_independent(cut)) return {1, score_of(scored_under(cut, rule, scoring), rule).solved};
  Samples samples;
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& point = cut.trajectory->points[i];
    if (point.critic || (point.outcome && !point.outcome->judged)) continue;
    ++samples.all;
    samples.right += point.outcome && score_of(&*point.outcome, rule).solved;
  }
  return samples;
}

/// The score against torch.compile: without a time if that was not measured. Both were timed beside eager
/// PyTorch, so it is the quotient of their speed-ups.
Score score_over_compiled(Score score, const CandidateOutcome& outcome, const std::string& mode) {
  const auto reference = outcome.compiled_references.find(mode);
  score.speedup = reference != outcome.compiled_references.end() ? score.speedup / reference->second : 0;
  return score;
}

BaselineScore mean_over(const ScoreTally& tally, int tasks) {
  BaselineScore score{.fast = tally.fast(), .speed = tally.speed(), .untimed = tally.untimed()};
  if (tasks > 0)
    for (auto& share : score.fast) share /= tasks;
  return score;
}

/// One strategy's trajectories on one task.
struct TaskTries {
  std::vector<const CutTrajectory*> judged;
  std::vector<const CutTrajectory*> not_judged;
};

/// Scores a strategy on the tasks of a level under one rule.
class Scorer {
 public:
  Scorer(const suites::ScoringRule& figures, CorrectnessRule rule, Scoring scoring,
         const std::vector<std::string>& modes)
      : figures_(figures),
        rule_(rule),
        scoring_(scoring),
        modes_(modes),
        eager_(figures.thresholds),
        compiled_(modes.size(), ScoreTally(figures.thresholds)) {}

  /// Adds a task. Without tries, no model could be asked about it, and the public rule's denominator still
  /// counts it. A task on whose answers the machine failed counts in no denominator.
  void add(const TaskTries& tries) {
    for (const auto* cut : tries.not_judged) count_answers(*cut);
    score_.endings[static_cast<std::size_t>(Ending::not_judged)] += static_cast<int>(tries.not_judged.size());
    if (tries.judged.empty() && !tries.not_judged.empty()) {
      ++score_.not_judged;
      return;
    }
    ++score_.tasks;
    if (tries.judged.empty()) return;
    Samples samples;
    for (const auto* cut : tries.judged) {
      add(*cut, 1.0 / static_cast<double>(tries.judged.size()));
      const auto more = samples_of(*cut, rule_, scoring_);
      samples.all += more.all;
      samples.right += more.right;
    }
    samples_.push_back(samples);
  }

  LevelScore finish() {
    score_.eager = mean_over(eager_, score_.tasks);
    for (const auto& tally : compiled_) score_.compiled.push_back(mean_over(tally, score_.tasks));
    // pass@k needs k samples of every task, or its mean would be over different tasks.
    int fewest = samples_.empty() ? 0 : samples_.front().all;
    for (const auto& task : samples_) fewest = std::min(fewest, task.all);
    for (const int k : figures_.pass_counts) {
      if (k > fewest) continue;
      double sum = 0;
      for (const auto& task : samples_) sum += pass_at_k(task.all, task.right, k);
      score_.pass_at.emplace_back(k, sum / score_.tasks);
    }
    return std::move(score_);
  }

 private:
  void add(const CutTrajectory& cut, double weight) {
    const auto* outcome = scored_under(cut, rule_, scoring_);
    ++score_.endings[static_cast<std::size_t>(ending(outcome, rule_))];
    count_answers(cut);
    const auto score = score_of(outcome, rule_);
    if (!score.solved) return;
    eager_.add(cut.trajectory->task, score, weight);
    for (std::size_t i = 0; i < modes_.size(); ++i)
      compiled_[i].add(cut.trajectory->task, score_over_compiled(score, *outcome, modes_[i]), weight);
  }

  void count_answers(const CutTrajectory& cut) {
    for (std::size_t i = 0; i < cut.points; ++i) {
      const auto& point = cut.trajectory->points[i];
      const auto* answer = point.outcome ? &*point.outcome : nullptr;
      if (!point.critic) ++score_.answers[static_cast<std::size_t>(ending(answer, rule_))];
    }
  }

  const suites::ScoringRule& figures_;
  CorrectnessRule rule_;
  Scoring scoring_;
  const std::vector<std::string>& modes_;
  LevelScore score_;
  ScoreTally eager_;
  std::vector<ScoreTally> compiled_;  // one for each mode
  std::vector<Samples> samples_;
};

/// Scores a strategy on the tasks of a level, or of all if it is "", that are posed as `posed` says.
LevelScore score_of(const std::map<std::string, TaskTries>& tried, const ScoredSuite& suite,
                    const std::string& level, const std::string& posed, CorrectnessRule rule, Scoring scoring,
                    const std::vector<std::string>& modes) {
  Scorer scorer(suite.rule, rule, scoring, modes);
  for (const auto& task : suite.tasks) {
    if (!level.empty() && task.level != level) continue;
    if (suites::posing_mark(task.level) != posed) continue;
    const auto tries = tried.find(task.name);
    const bool asked = tries != tried.end();
    const bool counts = rule == CorrectnessRule::faithful
                            ? asked || !can_be_judged(task.standing)
                            : asked && task.standing != Standing::degenerate && can_be_judged(task.standing);
    if (counts) scorer.add(asked ? tries->second : TaskTries());
  }
  return scorer.finish();
}

std::map<std::string, TaskTries> tries_of(const StrategyGroup& group, const std::vector<SuiteTask>& suite) {
  std::set<std::string> names;
  for (const auto& task : suite) names.insert(task.name);
  std::map<std::string, TaskTries> tried;
  for (const auto& cut : group.trajectories)
    if (names.contains(cut.trajectory->task)) tried[cut.trajectory->task].judged.push_back(&cut);
  for (const auto& cut : group.not_judged)
    if (names.contains(cut.trajectory->task)) tried[cut.trajectory->task].not_judged.push_back(&cut);
  return tried;
}

/// The modes of torch.compile that were measured for any answer to a task of the suite.
std::vector<std::string> modes_of(const std::vector<StrategyGroup>& groups,
                                  const std::vector<SuiteTask>& suite) {
  std::set<std::string> modes;
  for (const auto& group : groups)
    for (const auto& [name, tries] : tries_of(group, suite))
      for (const auto* cut : tries.judged)
        for (const auto& point : cut->trajectory->points)
          if (point.outcome)
            for (const auto& [mode, speedup] : point.outcome->compiled_references) modes.insert(mode);
  return {modes.begin(), modes.end()};
}

}  // namespace

SuiteScore score_suite(const std::vector<StrategyGroup>& groups, const ScoredSuite& suite, Scoring scoring) {
  SuiteScore score;
  score.name = suite.name;
  score.rule = suite.rule;
  std::set<std::string> levels;
  for (const auto& task : suite.tasks) levels.insert(task.level);
  score.levels.assign(levels.begin(), levels.end());
  score.modes = modes_of(groups, suite.tasks);
  for (const auto& task : suite.tasks)
    if (task.standing == Standing::degenerate || !can_be_judged(task.standing))
      score.apart.push_back({task, {}});
  auto columns = score.levels;
  columns.emplace_back();  // all of them
  for (const auto& group : groups) {
    const auto tried = tries_of(group, suite.tasks);
    if (tried.empty()) continue;
    StrategyScore row{group.label, {}};
    for (const auto& level : columns)
      row.levels.push_back({score_of(tried, suite, level, group.identity.posed, CorrectnessRule::faithful,
                                     scoring, score.modes),
                            score_of(tried, suite, level, group.identity.posed, CorrectnessRule::hardened,
                                     scoring, score.modes)});
    score.strategies.push_back(std::move(row));
    for (auto& apart : score.apart) {
      auto& [passed, all] = apart.passed.emplace_back(0, 0);
      const auto found = tried.find(apart.task.name);
      if (found == tried.end()) continue;
      for (const auto* cut : found->second.judged) {
        const auto* outcome = scored_under(*cut, CorrectnessRule::faithful, scoring);
        passed += score_of(outcome, CorrectnessRule::faithful).solved;
        ++all;
      }
    }
  }
  return score;
}

}  // namespace ridgeline::compare
