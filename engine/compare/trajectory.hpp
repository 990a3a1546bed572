// Defines a trajectory as a comparison sees it: what it had spent and found after each of its calls.
//
// Pure: no store, no clock. loading.hpp reads trajectories from a store.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/compare/ending.hpp"
#include "engine/compare/settings.hpp"
#include "engine/compare/task_structure.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/mismatch.hpp"
#include "engine/core/names.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::compare {

/// Sums up a candidate's verdict for a comparison.
struct CandidateOutcome {
  Hash candidate;
  bool judged = true;  ///< false: the machine failed; the candidate is not wrong and never scored
  bool compiled = false;
  bool callable = false;  ///< compiled, loaded, and its calls ended by themselves
  bool correct = false;
  double speedup = 0;  ///< over eager LibTorch; 0 unless correct and timed
  /// The ends of its interval, from this evaluation's own samples; 0 where none is known.
  double speedup_low = 0, speedup_high = 0;
  std::int64_t evaluated_at = 0;  ///< when the evaluation began, in ms since the epoch; 0 if unknown
  std::string doubt;  ///< of a correct candidate: the first of Verdict::suspicions; "" if there is none
  // The same by the suite's public rule.
  bool faithful = false;        ///< right by that rule
  double faithful_speedup = 0;  ///< 0 unless timed; not changed by set_flagged_aside
  /// The speed-ups of torch.compile over eager on the same task and device, by mode; only measured modes.
  std::map<std::string, double> compiled_references;
  Ending ending = Ending::other_error;  ///< by our rule
  int final_failures = 0;      ///< failing `final` cases, which no prompt shows and no verdict depends on
  bool not_quantized = false;  ///< refused, since it is the unquantized computation
  /// To the unquantized result, medians over cases and outputs, without names; only of quantized tasks.
  std::optional<QuantizationDistance> quantization;
  std::string device;
  std::int64_t evaluation = 0;  ///< its number in the store, to read rooflines by; 0: they are not to be read
  std::vector<Roofline> rooflines;  ///< one for each timed case, unless they stay in the store

  bool flagged() const { return !doubt.empty(); }
};

/// The state after a call to a model and the evaluation of its answer. Figures are running sums.
struct TrajectoryPoint {
  int calls = 0;            ///< critics included
  std::int64_t tokens = 0;  ///< input plus output
  double usd = 0;
  int evaluations = 0;
  double wall_seconds = 0;  ///< during which a request or an evaluation was under way; overlaps count once
  double gpu_seconds = 0;   ///< of the judge, after builds
  int round = 0;
  bool critic = false;                      ///< the call asked for a critique, not for a kernel
  std::optional<CandidateOutcome> outcome;  ///< none for a critic's call, or an answer without a kernel
};

/// One trajectory.
struct ComparedTrajectory {
  std::string strategy;  ///< the preset's name
  std::string model;
  std::string language;
  std::string task;
  std::string category;
  std::uint64_t seed = 0;
  Hash task_hash;                          ///< tells apart tasks of one name; "" if unknown
  std::optional<TaskStructure> structure;  ///< of its task's reference; none if unknown
  /// Where it comes from: its campaign's place (loading.hpp) and its number there, equal in a store and in a
  /// copy of it; "" if unknown.
  std::string origin;
  /// Hash of all that could change its course, task and seed included (campaign/identity.hpp); "" if unknown.
  Hash identity;
  SharedSettings settings;  ///< under which it ran; null if unknown
  std::string campaign;     ///< its campaign's name
  std::size_t store = 0;    ///< which of the stores that are compared it was read from
  std::int64_t id = 0;      ///< its number there
  std::string side;         ///< "before" or "after" a change that is looked into; "" if there is none
  /// Why it has not finished (running, an outage, a cap, a task that cannot be judged); it is not scored
  /// then. "" if it has finished.
  std::string incomplete;
  std::vector<TrajectoryPoint> points;  ///< in order of step and slot; sums never decrease
};

/// Removes the times of flagged kernels from a comparison: they stay correct and count as not timed. So the
/// best candidate of a trajectory is its fastest unflagged kernel, if there is one.
void set_flagged_aside(std::vector<ComparedTrajectory>& trajectories);

/// The same limit for every trajectory; nullopt is no limit.
struct BudgetLimits {
  std::optional<int> calls;
  std::optional<std::int64_t> tokens;
  std::optional<double> usd;
  std::optional<int> evaluations;
  std::optional<double> wall_seconds;
  std::optional<double> gpu_seconds;
};

/// Which candidate of a trajectory is its scored kernel.
enum class Scoring {
  best,  ///< the fastest correct candidate so far, otherwise one that compiled
  last   ///< the last candidate, as KernelBench's paper counts
};

/// The rule by which an answer is right.
enum class CorrectnessRule {
  faithful,  ///< the public rule of the task's suite
  hardened   ///< ours
};
constexpr auto enum_names(CorrectnessRule) {
  return std::to_array<Name<CorrectnessRule>>(
      {{CorrectnessRule::faithful, "faithful"}, {CorrectnessRule::hardened, "hardened"}});
}

/// Returns the number of points within all limits. The first point beyond a limit ends the trajectory, with
/// all points after it.
std::size_t points_within(const ComparedTrajectory& trajectory, const BudgetLimits& limits);

/// Returns the outcome that is scored among the first `count` points; null if no candidate was judged.
const CandidateOutcome* scored(const ComparedTrajectory& trajectory, std::size_t count, Scoring scoring,
                               CorrectnessRule rule = CorrectnessRule::hardened);

/// Whether there were candidates and none was judged: this says nothing about the strategy.
bool none_judged(const ComparedTrajectory& trajectory, std::size_t count);

/// How the first correct candidate came about (KernelBench-X's repair bias: rescued kernels tend to be
/// slower).
enum class Origin {
  unsolved,
  persistent,  ///< no judged candidate before it failed
  rescued      ///< at least one judged candidate before it failed
};
/// Returns the origin within the first `count` points.
Origin origin_of(const ComparedTrajectory& trajectory, std::size_t count);

}  // namespace ridgeline::compare
