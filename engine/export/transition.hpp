// Classifies what changed between the candidate that a prompt asked to change and the candidate that came
// back. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/names.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::exporting {

/// The kinds of change.
enum class TransitionKind {
  build_fail_to_pass,        ///< did not build before, builds now, though a later stage may still fail
  call_fail_to_pass,         ///< built but could not be called before; now it runs to its end
  correctness_fail_to_pass,  ///< ran before; now it is correct, also in its timed calls
  optimization,              ///< both correct, and the ratio's interval lies above 1
  neutral,                   ///< the same stage fails, or both are correct and no interval excludes 1
  regression_correctness,    ///< an earlier stage fails than before
  regression_performance     ///< both correct, and the interval lies below 1
};
constexpr auto enum_names(TransitionKind) {
  return std::to_array<Name<TransitionKind>>(
      {{TransitionKind::build_fail_to_pass, "build_fail_to_pass"},
       {TransitionKind::call_fail_to_pass, "call_fail_to_pass"},
       {TransitionKind::correctness_fail_to_pass, "correctness_fail_to_pass"},
       {TransitionKind::optimization, "optimization"},
       {TransitionKind::neutral, "neutral"},
       {TransitionKind::regression_correctness, "regression_correctness"},
       {TransitionKind::regression_performance, "regression_performance"}});
}

/// Cold time before over cold time after: above 1 means that the candidate became faster.
struct Ratio {
  double value = 0;
  double low = 0, high = 0;  ///< interval, from the ends of both medians' intervals
};

/// A change between two candidates.
struct Transition {
  TransitionKind kind = TransitionKind::neutral;
  std::optional<Stage> from_stage;  ///< the first stage that did not pass before; nullopt if it was correct
  std::optional<Stage> to_stage;    ///< the same for the new candidate
  std::optional<Ratio> ratio;       ///< if both are correct and timed on the same cases
  std::vector<std::string> flags;   ///< the flags of both candidates

  bool flagged() const { return !flags.empty(); }
  bool complete() const { return !to_stage; }  ///< whether the new candidate is correct
};

/// Returns the geometric mean over the cases timed in both; medians and intervals are computed anew from the
/// raw samples. For modules timed in interleaved A/B rounds, each time is divided by its own baseline's.
/// `confidence` is that of each median's interval, 0.5 to 1; nullopt where there are too few samples for it.
std::optional<Ratio> ratio_between(const Timing& before, const Timing& after, double confidence = 0.95);

/// Classifies a change; nullopt if one of the candidates was not judged. A time counts as shorter or longer
/// if the interval of that confidence says so.
std::optional<Transition> classify(const Verdict& before, const Verdict& after, double confidence = 0.95);

/// Returns how far a candidate got: 0 does not build, 1 cannot be called, 2 is not correct, 3 is correct.
int rank_of(const Verdict& verdict);

/// Whether the change is an improvement.
bool is_gain(TransitionKind kind);

}  // namespace ridgeline::exporting
