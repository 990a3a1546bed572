#include "engine/compare/suite_score.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/compare/groups.hpp"

namespace ridgeline::compare {
namespace {

bool is_right(const CandidateOutcome& outcome, CorrectnessRule rule) {
  return rule == CorrectnessRule::faithful ? outcome.faithful : outcome.correct;
}

double speedup(const CandidateOutcome& outcome, CorrectnessRule rule) {
  return rule == CorrectnessRule::faithful ? outcome.faithful_speedup : outcome.speedup;
}

Ending ending(const CandidateOutcome* outcome, CorrectnessRule rule) {
  if (outcome == nullptr) return Ending::no_answer;
  if (!outcome->judged) return Ending::not_judged;
  if (is_right(*outcome, rule)) return Ending::correct;
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
  const auto rank = [rule](const CandidateOutcome& candidate) {
    return std::tuple(is_right(candidate, rule), speedup(candidate, rule), candidate.compiled);
  };
  const bool last = scoring == Scoring::last && !is_independent(cut);
  const CandidateOutcome* best = nullptr;
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& outcome = cut.trajectory->points[i].outcome;
    if (!outcome || !outcome->judged) continue;
    // The earlier of two equals stays: it cost less.
    if (best == nullptr || last || rank(*outcome) > rank(*best)) best = &*outcome;
  }
  return best;
}

struct Samples {
  int all = 0, right = 0;
};

/// Counts each independent call as a sample, and a chain as one sample, by its scored candidate.
Samples samples_of(const CutTrajectory& cut, CorrectnessRule rule, Scoring scoring) {
  if (!is_independent(cut)) {
    const auto* outcome = scored_under(cut, rule, scoring);
    return {1, outcome != nullptr && is_right(*outcome, rule)};
  }
  Samples samples;
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& point = cut.trajectory->points[i];
    if (point.critic || (point.outcome && !point.outcome->judged)) continue;
    ++samples.all;
    samples.right += point.outcome && is_right(*point.outcome, rule);
  }
  return samples;
}

/// The speed-up over torch.compile; 0 if that was not measured. Both were timed beside eager PyTorch, so it
/// is the quotient of their speed-ups.
double speedup_over_compiled(const CandidateOutcome& outcome, CorrectnessRule rule, const std::string& mode) {
  const auto reference = outcome.compiled_references.find(mode);
  return reference != outcome.compiled_references.end() ? speedup(outcome, rule) / reference->second : 0;
}

/// Sums up right answers against one baseline.
class BaselineTally {
 public:
  /// `thresholds` outlive it.
  explicit BaselineTally(const std::vector<double>& thresholds) : thresholds_(&thresholds) {
    against_.fast.resize(thresholds.size());
  }

  /// Adds a right answer; `times` is its speed-up, or 0 if there is none.
  void add(std::string_view task, double times, double weight) {
    for (std::size_t i = 0; i < thresholds_->size(); ++i)
      if (thresholds_->at(i) == 0 || times > thresholds_->at(i)) against_.fast[i] += weight;
    if (times > 0)
      kernels_.push_back({task, times});
    else
      ++against_.untimed;
  }

  BaselineScore finish(int tasks) {
    if (tasks > 0)
      for (auto& share : against_.fast) share /= tasks;
    against_.speed = speed_of(std::move(kernels_));
    return std::move(against_);
  }

 private:
  const std::vector<double>* thresholds_;
  BaselineScore against_;
  std::vector<TimedKernel> kernels_;
};

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
        compiled_(modes.size(), BaselineTally(figures.thresholds)) {}

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
    score_.eager = eager_.finish(score_.tasks);
    for (auto& tally : compiled_) score_.compiled.push_back(tally.finish(score_.tasks));
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
    if (outcome == nullptr || !is_right(*outcome, rule_)) return;
    eager_.add(cut.trajectory->task, speedup(*outcome, rule_), weight);
    for (std::size_t i = 0; i < modes_.size(); ++i)
      compiled_[i].add(cut.trajectory->task, speedup_over_compiled(*outcome, rule_, modes_[i]), weight);
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
  BaselineTally eager_;
  std::vector<BaselineTally> compiled_;  // one for each mode
  std::vector<Samples> samples_;
};

LevelScore score_of(const std::map<std::string, TaskTries>& tried, const ScoredSuite& suite,
                    const std::string& level, CorrectnessRule rule, Scoring scoring,
                    const std::vector<std::string>& modes) {
  Scorer scorer(suite.rule, rule, scoring, modes);
  for (const auto& task : suite.tasks) {
    if (!level.empty() && task.level != level) continue;
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
      row.levels.push_back({score_of(tried, suite, level, CorrectnessRule::faithful, scoring, score.modes),
                            score_of(tried, suite, level, CorrectnessRule::hardened, scoring, score.modes)});
    score.strategies.push_back(std::move(row));
    for (auto& apart : score.apart) {
      auto& [passed, all] = apart.passed.emplace_back(0, 0);
      const auto found = tried.find(apart.task.name);
      if (found == tried.end()) continue;
      for (const auto* cut : found->second.judged) {
        const auto* outcome = scored_under(*cut, CorrectnessRule::faithful, scoring);
        passed += outcome != nullptr && outcome->faithful;
        ++all;
      }
    }
  }
  return score;
}

}  // namespace ridgeline::compare
