#include "engine/export/transition.hpp"

#include <algorithm>
#include <array>

#include "engine/core/statistics.hpp"

namespace ridgeline::exporting {
namespace {

constexpr int correct_rank = 3;

struct Middle {
  double median = 0, low = 0, high = 0;
};

constexpr double stored_confidence = 0.95;  // of the interval that a Duration keeps

/// nullopt if the samples are too few for the confidence. At 95 % the range of fewer than six counts as the
/// interval, as everywhere else.
std::optional<Middle> middle_of(const Duration& duration, double confidence) {
  const bool more = confidence > stored_confidence;
  if (more && !has_median_interval(duration.samples.size(), confidence)) return std::nullopt;
  if (duration.samples.empty()) return Middle{duration.median, duration.low, duration.high};
  const auto interval = median_interval(duration.samples, confidence);
  return Middle{median(duration.samples), interval.low, interval.high};
}

/// The stage that failed. A wrong result seen while timing is a wrong result, so timing counts as
/// correctness here.
std::optional<Stage> ended_at(const Verdict& verdict) {
  if (rank_of(verdict) == correct_rank) return std::nullopt;
  return verdict.failed_at().value_or(Stage::correctness);
}

TransitionKind kind_of_ratio(const std::optional<Ratio>& ratio) {
  if (ratio && ratio->low > 1) return TransitionKind::optimization;
  if (ratio && ratio->high < 1) return TransitionKind::regression_performance;
  return TransitionKind::neutral;
}

}  // namespace

int rank_of(const Verdict& verdict) {
  if (verdict.correct()) return correct_rank;
  const auto stage = verdict.failed_at().value_or(Stage::correctness);
  return std::min(static_cast<int>(stage), static_cast<int>(Stage::correctness));
}

std::optional<Ratio> ratio_between(const Timing& before, const Timing& after, double confidence) {
  std::vector<double> values, lows, highs;
  for (const auto& was : before.cases) {
    const auto is = std::find_if(after.cases.begin(), after.cases.end(),
                                 [&](const CaseTiming& timed) { return timed.case_name == was.case_name; });
    if (is == after.cases.end()) continue;
    const auto old_time = middle_of(was.cold, confidence);
    const auto new_time = middle_of(is->cold, confidence);
    if (!old_time || !new_time) return std::nullopt;
    if (old_time->low <= 0 || new_time->low <= 0) continue;
    // The two were timed at different times; their baselines show by how much the machine changed in
    // between.
    const double host =
        is_interleaved(was) && is_interleaved(*is) ? is->baseline_cold.median / was.baseline_cold.median : 1;
    values.push_back(host * old_time->median / new_time->median);
    lows.push_back(host * old_time->low / new_time->high);
    highs.push_back(host * old_time->high / new_time->low);
  }
  if (values.empty()) return std::nullopt;
  return Ratio{geometric_mean(values), geometric_mean(lows), geometric_mean(highs)};
}

std::optional<Transition> classify(const Verdict& before, const Verdict& after, double confidence) {
  if (!before.judged() || !after.judged()) return std::nullopt;
  Transition transition;
  transition.from_stage = ended_at(before);
  transition.to_stage = ended_at(after);
  for (const auto& flag : before.suspicions()) transition.flags.push_back("before: " + flag);
  for (const auto& flag : after.suspicions()) transition.flags.push_back("after: " + flag);

  const int from = rank_of(before);
  const int to = rank_of(after);
  if (from == correct_rank && to == correct_rank) {
    if (before.timing && after.timing)
      transition.ratio = ratio_between(*before.timing, *after.timing, confidence);
    transition.kind = kind_of_ratio(transition.ratio);
  } else if (to < from) {
    transition.kind = TransitionKind::regression_correctness;
  } else if (to > from) {
    constexpr std::array by_stage{TransitionKind::build_fail_to_pass, TransitionKind::call_fail_to_pass,
                                  TransitionKind::correctness_fail_to_pass};
    transition.kind = by_stage[static_cast<std::size_t>(from)];
  }
  return transition;
}

bool is_gain(TransitionKind kind) {
  return kind == TransitionKind::build_fail_to_pass || kind == TransitionKind::call_fail_to_pass ||
         kind == TransitionKind::correctness_fail_to_pass || kind == TransitionKind::optimization;
}

}  // namespace ridgeline::exporting
