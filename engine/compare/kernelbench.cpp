#include "engine/compare/kernelbench.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/compare/groups.hpp"

namespace ridgeline::compare {
namespace {

bool is_right(const Outcome& outcome, Rule rule) {
  return rule == Rule::faithful ? outcome.faithful : outcome.correct;
}

double speedup(const Outcome& outcome, Rule rule) {
  return rule == Rule::faithful ? outcome.faithful_speedup : outcome.speedup;
}

Ending ending(const Outcome* outcome, Rule rule) {
  if (outcome == nullptr) return Ending::no_answer;
  if (!outcome->judged) return Ending::not_judged;
  if (is_right(*outcome, rule)) return Ending::correct;
  return outcome->ending == Ending::correct ? Ending::correctness_issue : outcome->ending;
}

/// Calls that were made at once knew nothing of each other.
bool is_independent(const CutWalk& cut) {
  return std::all_of(cut.walk->points.begin(),
                     cut.walk->points.begin() + static_cast<std::ptrdiff_t>(cut.points),
                     [](const WalkPoint& point) { return point.round == 0; });
}

const Outcome* chosen(const CutWalk& cut, Rule rule, Scoring scoring) {
  const auto rank = [rule](const Outcome& one) {
    return std::tuple(is_right(one, rule), speedup(one, rule), one.compiled);
  };
  const bool last = scoring == Scoring::last && !is_independent(cut);
  const Outcome* found = nullptr;
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& outcome = cut.walk->points[i].outcome;
    if (!outcome || !outcome->judged) continue;
    // Of equals the earlier stays: it was had for less.
    if (found == nullptr || last || rank(*outcome) > rank(*found)) found = &*outcome;
  }
  return found;
}

struct Samples {
  int all = 0, right = 0;
};

/// Each of independent calls is a sample; a chain is one, by what counts of it.
Samples samples_of(const CutWalk& cut, Rule rule, Scoring scoring) {
  if (!is_independent(cut)) {
    const auto* outcome = chosen(cut, rule, scoring);
    return {1, outcome != nullptr && is_right(*outcome, rule)};
  }
  Samples samples;
  for (std::size_t i = 0; i < cut.points; ++i) {
    const auto& point = cut.walk->points[i];
    if (point.critic || (point.outcome && !point.outcome->judged)) continue;
    ++samples.all;
    samples.right += point.outcome && is_right(*point.outcome, rule);
  }
  return samples;
}

/// Speed-ups over torch.compile are had by way of eager PyTorch, which stood beside both.
double speedup_over_compiled(const Outcome& outcome, Rule rule, const std::string& mode) {
  const auto found = outcome.compiled_references.find(mode);
  return found != outcome.compiled_references.end() ? speedup(outcome, rule) / found->second : 0;
}

class Tally {
 public:
  /// Of a right answer; `times` is 0 where there is no figure.
  void add(double times, double weight) {
    for (std::size_t i = 0; i < fast_thresholds.size(); ++i)
      if (fast_thresholds[i] == 0 || times > fast_thresholds[i]) against_.fast[i] += weight;
    if (times > 0)
      speedups_.push_back(times);
    else
      ++against_.untimed;
  }

  Against finish(int tasks) {
    if (tasks > 0)
      for (auto& share : against_.fast) share /= tasks;
    against_.speed = speed_of(speedups_);
    return std::move(against_);
  }

 private:
  Against against_;
  std::vector<double> speedups_;
};

/// One strategy's trajectories on one task.
struct Tries {
  std::vector<const CutWalk*> judged;
  std::vector<const CutWalk*> not_judged;
};

class Scorer {
 public:
  Scorer(Rule rule, Scoring scoring, const std::vector<std::string>& modes)
      : rule_(rule), scoring_(scoring), modes_(modes), compiled_(modes.size()) {}

  /// Without tries: nobody could be asked, and KernelBench's denominator has it all the same. A task whose
  /// answers the machine could not judge is in none.
  void add(const Tries& tries) {
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
    for (auto& one : compiled_) score_.compiled.push_back(one.finish(score_.tasks));
    int fewest = samples_.empty() ? 0 : samples_.front().all;
    for (const auto& one : samples_) fewest = std::min(fewest, one.all);
    for (const int k : pass_counts) {
      if (k > fewest) break;
      double sum = 0;
      for (const auto& one : samples_) sum += pass_at_k(one.all, one.right, k);
      score_.pass_at.emplace_back(k, sum / score_.tasks);
    }
    return std::move(score_);
  }

 private:
  void add(const CutWalk& cut, double weight) {
    const auto* outcome = chosen(cut, rule_, scoring_);
    ++score_.endings[static_cast<std::size_t>(ending(outcome, rule_))];
    count_answers(cut);
    if (outcome == nullptr || !is_right(*outcome, rule_)) return;
    eager_.add(speedup(*outcome, rule_), weight);
    for (std::size_t i = 0; i < modes_.size(); ++i)
      compiled_[i].add(speedup_over_compiled(*outcome, rule_, modes_[i]), weight);
  }

  void count_answers(const CutWalk& cut) {
    for (std::size_t i = 0; i < cut.points; ++i) {
      const auto& point = cut.walk->points[i];
      const auto* answer = point.outcome ? &*point.outcome : nullptr;
      if (!point.critic) ++score_.answers[static_cast<std::size_t>(ending(answer, rule_))];
    }
  }

  Rule rule_;
  Scoring scoring_;
  const std::vector<std::string>& modes_;
  LevelScore score_;
  Tally eager_;
  std::vector<Tally> compiled_;  // one a mode
  std::vector<Samples> samples_;
};

LevelScore score_of(const std::map<std::string, Tries>& tried, const std::vector<SuiteTask>& suite,
                    const std::string& level, Rule rule, Scoring scoring,
                    const std::vector<std::string>& modes) {
  Scorer scorer(rule, scoring, modes);
  for (const auto& task : suite) {
    if (!level.empty() && task.level != level) continue;
    const auto found = tried.find(task.name);
    const bool asked = found != tried.end();
    const bool counts = rule == Rule::faithful
                            ? asked || !can_be_judged(task.standing)
                            : asked && task.standing != Standing::degenerate && can_be_judged(task.standing);
    if (counts) scorer.add(asked ? found->second : Tries());
  }
  return scorer.finish();
}

std::map<std::string, Tries> tries_of(const Group& group, const std::vector<SuiteTask>& suite) {
  std::set<std::string> names;
  for (const auto& task : suite) names.insert(task.name);
  std::map<std::string, Tries> tried;
  for (const auto& cut : group.walks)
    if (names.contains(cut.walk->task)) tried[cut.walk->task].judged.push_back(&cut);
  for (const auto& cut : group.not_judged)
    if (names.contains(cut.walk->task)) tried[cut.walk->task].not_judged.push_back(&cut);
  return tried;
}

/// That stand beside any answer to a task of the suite.
std::vector<std::string> modes_of(const std::vector<Group>& groups, const std::vector<SuiteTask>& suite) {
  std::set<std::string> modes;
  for (const auto& group : groups)
    for (const auto& [name, tries] : tries_of(group, suite))
      for (const auto* cut : tries.judged)
        for (const auto& point : cut->walk->points)
          if (point.outcome)
            for (const auto& [mode, speedup] : point.outcome->compiled_references) modes.insert(mode);
  return {modes.begin(), modes.end()};
}

}  // namespace

double pass_at_k(int n, int c, int k) {
  if (n - c < k) return 1;
  double none = 1;
  for (int i = n - c + 1; i <= n; ++i) none *= 1 - static_cast<double>(k) / i;
  return 1 - none;
}

KernelBenchScore score_kernelbench(const std::vector<Group>& groups, const std::vector<SuiteTask>& suite,
                                   Scoring scoring) {
  KernelBenchScore score;
  std::set<std::string> levels;
  for (const auto& task : suite) levels.insert(task.level);
  score.levels.assign(levels.begin(), levels.end());
  score.modes = modes_of(groups, suite);
  for (const auto& task : suite)
    if (task.standing == Standing::degenerate || !can_be_judged(task.standing))
      score.apart.push_back({task, {}});
  auto columns = score.levels;
  columns.emplace_back();  // all of them
  for (const auto& group : groups) {
    const auto tried = tries_of(group, suite);
    if (tried.empty()) continue;
    StrategyScore row{group.label, {}};
    for (const auto& level : columns)
      row.levels.push_back({score_of(tried, suite, level, Rule::faithful, scoring, score.modes),
                            score_of(tried, suite, level, Rule::hardened, scoring, score.modes)});
    score.strategies.push_back(std::move(row));
    for (auto& apart : score.apart) {
      auto& [passed, all] = apart.passed.emplace_back(0, 0);
      const auto found = tried.find(apart.task.name);
      if (found == tried.end()) continue;
      for (const auto* cut : found->second.judged) {
        const auto* outcome = chosen(*cut, Rule::faithful, scoring);
        passed += outcome != nullptr && outcome->faithful;
        ++all;
      }
    }
  }
  return score;
}

}  // namespace ridgeline::compare
