// What changed between the candidate that a prompt asked to change and the one that came back. Pure
// functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/names.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::exporting {

enum class TransitionKind {
  build_fail_to_pass,        ///< did not build before, builds now, though a later stage may still fail
  call_fail_to_pass,         ///< built but could not be called before; now it runs to its end
  correctness_fail_to_pass,  ///< ran before; now it is correct (also by what its timed calls computed)
  optimization,              ///< both correct, and the interval of the ratio lies above 1
  neutral,                   ///< the same stage fails, or both are correct and the interval holds 1
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
  double low = 0, high = 0;  ///< 95 %, from the ends of both medians' intervals
};

struct Transition {
  TransitionKind kind = TransitionKind::neutral;
  std::optional<Stage> from_stage;  ///< the first stage that did not pass before; nullopt if it was correct
  std::optional<Stage> to_stage;    ///< the same of what came back
  std::optional<Ratio> ratio;       ///< where both are correct and timed on the same cases
  std::vector<std::string> flags;   ///< why the figures deserve doubt; empty: none

  bool flagged() const { return !flags.empty(); }
  bool complete() const { return !to_stage; }  ///< what came back is correct
};

/// Geometric mean over the cases timed in both, medians and intervals computed anew from the raw samples. Of
/// modules that took turns, each time is taken over its baseline's.
std::optional<Ratio> ratio_between(const Timing& before, const Timing& after);

/// nullopt where one of them was not judged: nothing can be said then.
std::optional<Transition> classify(const Verdict& before, const Verdict& after);

/// 0 does not build, 1 cannot be called, 2 is not correct, 3 is correct.
int rank_of(const Verdict& verdict);

bool is_gain(TransitionKind kind);

}  // namespace ridgeline::exporting
