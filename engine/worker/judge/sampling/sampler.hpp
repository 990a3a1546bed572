// Takes samples of a caller over slots until the stopping rule has enough. The same code samples a candidate
// in its runner, and the baseline in the judge's own process or, for a module, in the reference runner.
//
// Its two ports, the caller and the slots, let its decisions be tested on made-up times.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"

namespace ridgeline::judge {

/// Makes the calls first, first + 1, …, first + count - 1 in this order, in one batch. Call i uses slot i;
/// after SlotKeeper::prepare_rounds it uses slot i modulo the slots of the plan.
class BatchCaller {
 public:
  virtual ~BatchCaller() = default;
  /// Returns the batch's times; empty if the caller has ended, for a reason that it knows.
  virtual std::optional<BatchTimes> call(std::size_t first, std::size_t count) = 0;
  /// Returns what a batch without calls takes, from a trusted source. Batches are planned without it. 0 where
  /// that is too little to matter.
  virtual Overhead overhead() const { return {}; }
};

/// Plans hot samples: how many slots a pair goes round over, and how many calls it makes.
struct HotPlan {
  std::size_t slots = 0;  ///< slots that fit into a cache together; 0: there are no hot samples
  std::size_t calls = 0;  ///< K of each pair
  bool refill = false;    ///< fill the slots before each pair
  bool replay = false;    ///< batches are replayed as graphs of the device
};

/// Fills slots before batches and inspects them afterwards.
class SlotKeeper {
 public:
  virtual ~SlotKeeper() = default;
  virtual std::size_t slots() const = 0;
  /// Moves the first `count` slots and tells the caller their new places. Their contents count only once they
  /// are filled. Returns false if the caller has ended or refuses the places.
  virtual bool arrange(std::size_t count) = 0;
  /// Fills slots for the batch that comes next: fresh inputs, poisoned outputs; if `cold`, flushed from all
  /// caches. The caller's process is stopped meanwhile. Returns the longest time, in seconds, for which the
  /// device may have worked for somebody else since the first input was written; 0 without a device.
  virtual double fill(std::size_t first, std::size_t count, bool cold) = 0;
  /// Arranges and fills the first `count` slots, for a single batch. Returns false as `arrange` does.
  bool prepare(std::size_t count, bool cold) {
    if (!arrange(count)) return false;
    fill(0, count, cold);
    return true;
  }
  /// Fills slots for `plan`, without flushing: its 3K calls go round over them. Returns false if the caller
  /// has ended or cannot do what is planned.
  virtual bool prepare_rounds(const HotPlan& plan) = 0;
  /// Inspects the slots just called before anything else happens. Returns true if nothing is wrong with them.
  virtual bool inspect(std::size_t first, std::size_t count) = 0;
  /// Returns the seconds until the device has done something for the judge. It works on others' jobs first,
  /// if they said too early that they had finished. 0 without a device.
  virtual double settle() { return 0; }
  /// Returns the device's present clock, Hz; 0 without a device.
  virtual double clock() { return 0; }
};

/// When sampling ends.
struct SamplingLimits {
  double cap_seconds = 0.06;      ///< seconds of timed windows
  double elapsed_seconds = 0.12;  ///< including filling and inspecting; ends it once there are three samples
  double patience_seconds = 3;    ///< ends it even with a single sample
  double batch_seconds = 0.2e-3;  ///< how long K calls should last, a third of a pair's
  double target_error = 0.01;     ///< standard error over the median at which it is precise enough
  std::size_t most_calls = 256;   ///< the largest K
  int floor_samples = 8;
  double hot_share = 0.25;       ///< share of the cache that hot operands may take
  double goal = 0;               ///< in place of `target_error`: as profiler::StoppingLimits::goal
  double reference_seconds = 0;  ///< profiler::StoppingLimits::reference: the baseline's time of a call
  /// Returns a pair's seconds a call, or nothing if the clock model would leave the pair out. Precision is
  /// judged by pairs that count, so it must be the rule by which they are weighed later.
  std::optional<double> (*sample_of)(const BatchPair&) = undisturbed_slope;
};

/// Why sampling ended.
enum class SamplingEnd { enough, capped, caller_over, slot_wrong };

/// The pairs that were taken.
struct Sampling {
  SamplingEnd end = SamplingEnd::enough;
  std::vector<BatchPair> pairs;
};

/// Returns K for calls of `seconds` each: a third of the calls of a pair.
std::size_t calls_per_batch(double seconds, std::size_t slots, const SamplingLimits& limits);

/// Takes cold pairs of one caller, one after another.
class Sampler {
 public:
  /// `calls` is K of the first pair, if a call's length is known from a trusted source.
  Sampler(BatchCaller& caller, SlotKeeper& keeper, const SamplingLimits& limits, Random& random,
          std::size_t calls = 1)
      : caller_(caller), keeper_(keeper), limits_(limits), random_(random), calls_(calls) {}

  /// Says how a step ended. A `pilot` is a pair that only showed that batches must be longer.
  enum class Step { pair, pilot, caller_over, slot_wrong };
  /// Fills fresh slots and takes a pair on them.
  Step take();
  /// The last pair, also if it was a pilot.
  const BatchPair& pair() const { return pair_; }

 private:
  BatchCaller& caller_;
  SlotKeeper& keeper_;
  const SamplingLimits& limits_;
  Random& random_;
  BatchPair pair_;
  std::size_t calls_;  // K
  bool pilot_ = true;  // raises K until a batch is long enough
};

/// The end of sampling after a step that gave no pair.
inline SamplingEnd end_for(Sampler::Step step) {
  return step == Sampler::Step::slot_wrong ? SamplingEnd::slot_wrong : SamplingEnd::caller_over;
}

/// Takes cold samples until the limits or the stopping rule end it. `now` returns monotonic seconds; `calls`
/// as in Sampler.
Sampling sample(BatchCaller& caller, SlotKeeper& keeper, const SamplingLimits& limits, Random& random,
                double (*now)(), std::size_t calls = 1);

/// Plans as many slots of `slot_bytes` as fit into `limits.hot_share` of `cache_bytes`, at most `slots` and
/// at most 3K, for calls of at most `seconds`. Calls go round over them, so a batch is long enough even if
/// the cache holds a single slot. If each call continues with what the call before left (`drifts`), there are
/// 3K slots, filled before each pair: each slot is called twice between two fillings, once to warm up and
/// once timed.
HotPlan plan_hot(double cache_bytes, std::size_t slot_bytes, double seconds, std::size_t slots,
                 const SamplingLimits& limits, bool drifts);

/// Takes `pairs` hot samples. Warms up with batches of K and 2K calls, once, or before each pair if slots
/// drift. Inspects the slots at the end; if batches are replayed, after the warm-up instead, since a graph
/// may lack some of the calls. Does not inspect slots that drift: each was called more than once.
Sampling sample_hot(BatchCaller& caller, SlotKeeper& keeper, const HotPlan& plan, int pairs);

}  // namespace ridgeline::judge
