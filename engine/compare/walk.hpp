// One trajectory as a comparison sees it: what it had spent and what it had found after each of its calls.
//
// Pure: no store, no clock. loading.hpp makes walks out of a store.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/compare/ending.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::compare {

/// What a comparison keeps of a verdict.
struct Outcome {
  Hash candidate;
  bool judged = true;  ///< false: the machine failed; such a candidate is no wrong one, and is never scored
  bool compiled = false;
  bool correct = false;
  double speedup = 0;  ///< over eager LibTorch; 0 unless correct and timed
  std::string doubt;   ///< of a correct one: the first of Verdict::suspicions; "" if there is none
  // As KernelBench sees it.
  bool faithful = false;        ///< right by its rule
  double faithful_speedup = 0;  ///< 0 unless timed; never set aside
  /// torch.compile's speed-ups over eager on the same task and device, by mode; only what was measured.
  std::map<std::string, double> compiled_references;
  Ending ending = Ending::other_error;  ///< by our rule
  int final_failures = 0;  ///< failing `final` cases: they never stand in a prompt and change no verdict
  std::string device;
  std::vector<Roofline> rooflines;  ///< one a timed case

  bool flagged() const { return !doubt.empty(); }
};

/// The state after one call to a model and the evaluation of what it brought. Figures are running sums.
struct WalkPoint {
  int calls = 0;            ///< critics counted
  std::int64_t tokens = 0;  ///< input plus output
  double usd = 0;
  int evaluations = 0;
  int round = 0;
  bool critic = false;             ///< the call asked for a judgement and not for a kernel
  std::optional<Outcome> outcome;  ///< none: a critic's call, or no kernel in the answer
};

struct Walk {
  std::string strategy;  ///< label: the preset's name
  std::string model;
  std::string language;
  std::string task;
  std::string category;
  std::uint64_t seed = 0;
  /// Why it has not finished (running, an outage, a cap, a task that cannot be judged): then it is not
  /// scored.
  /// "" if it has.
  std::string incomplete;
  std::vector<WalkPoint> points;  ///< in order of step and slot; sums never fall
};

/// Takes the figures of flagged kernels out of every comparison: they stay correct, and count as not timed.
/// So the best of a trajectory is its fastest kernel that nothing speaks against, if there is one.
void set_flagged_aside(std::vector<Walk>& walks);

/// The same bound for every trajectory; what is nullopt does not bound.
struct Limits {
  std::optional<int> calls;
  std::optional<std::int64_t> tokens;
  std::optional<double> usd;
  std::optional<int> evaluations;
};

enum class Scoring {
  best,  ///< the fastest correct candidate so far, else one that compiled
  last   ///< KernelBench's rule: the last candidate
};

/// The longest prefix of points within all limits: a point that would pass one ends the walk, and so do all
/// after it. Returns the number of points kept.
std::size_t points_within(const Walk& walk, const Limits& limits);

/// The outcome that stands for the first `count` points; null if they brought no candidate that was judged.
const Outcome* scored(const Walk& walk, std::size_t count, Scoring scoring);

/// They brought candidates, and none was judged: nothing is known of the strategy, which is no failure of it.
bool none_judged(const Walk& walk, std::size_t count);

/// How the first correct candidate came about (KernelBench-X's repair bias: rescued kernels tend to be
/// slower).
enum class Origin {
  unsolved,
  persistent,  ///< no candidate before it was judged and failed
  rescued      ///< at least one was
};
Origin origin_of(const Walk& walk, std::size_t count);

}  // namespace ridgeline::compare
