// Takes samples of a caller over slots until the stopping rule has enough: the same for a candidate in its
// runner and for the baseline in the judge's own process.
//
// What it needs of the world stands behind two small ports, so that its decisions are tested on invented
// times.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"

namespace ridgeline::judge {

/// Calls slots first, first + 1, …, first + count - 1, in this order, in one batch.
class BatchCaller {
 public:
  virtual ~BatchCaller() = default;
  /// Empty: the caller is over, and knows why.
  virtual std::optional<BatchTimes> call(std::size_t first, std::size_t count) = 0;
};

/// What hot samples are taken over.
struct HotPlan {
  std::size_t slots = 0;  ///< that a cache holds at once; 0: nothing here is ever hot
  std::size_t calls = 0;  ///< K
  bool refill = false;    ///< before each pair
  bool replay = false;    ///< batches are graphs of the device
};

/// The slots: inputs go in, outputs are looked at.
class SlotKeeper {
 public:
  virtual ~SlotKeeper() = default;
  virtual std::size_t slots() const = 0;
  /// Fresh inputs, poisoned outputs, moved addresses in the first `count` slots; `cold`: out of all caches.
  /// False: the caller is over.
  virtual bool prepare(std::size_t count, bool cold) = 0;
  /// The same, not cold, for `plan`: its 3K calls go round over its slots. False: the caller is over, or
  /// cannot do what is planned.
  virtual bool prepare_rounds(const HotPlan& plan) = 0;
  /// Looks at the slots just called, before anything else happens, and at `ahead` behind them, whose batch is
  /// still to come: true if nothing is wrong with the ones, and nothing was done to the others already.
  virtual bool inspect(std::size_t first, std::size_t count, std::size_t ahead = 0) = 0;
  /// Seconds until the device has done something for the judge: it has others' work before it, if they said
  /// too early that they had finished. 0 where there is no device.
  virtual double settle() { return 0; }
  /// The device's clock just now, Hz; 0 where there is none to ask.
  virtual double clock() { return 0; }
};

struct SamplingLimits {
  double cap_seconds = 0.06;      ///< of timed windows
  double elapsed_seconds = 0.12;  ///< with filling and looking; ends it once there are three samples
  double patience_seconds = 3;    ///< ends it with a single one
  double batch_seconds = 0.2e-3;  ///< that K calls should last, well above a wake-up's jitter
  double target_error = 0.01;     ///< standard error of the median over the median: precise enough
  std::size_t most_calls = 256;   ///< K at most
  int floor_samples = 8;
  double hot_share = 0.25;  ///< of the cache, that hot operands may take
};

enum class SamplingEnd { enough, capped, caller_over, slot_wrong };

struct Sampling {
  SamplingEnd end = SamplingEnd::enough;
  std::vector<BatchPair> pairs;
};

/// K for calls of `seconds` each.
std::size_t calls_per_batch(double seconds, std::size_t slots, const SamplingLimits& limits);

/// Cold pairs of one caller, one after another.
class Sampler {
 public:
  /// `calls`: K of the first pair, where a call's length is known of somebody who can be believed.
  Sampler(BatchCaller& caller, SlotKeeper& keeper, const SamplingLimits& limits, Random& random,
          std::size_t calls = 1)
      : caller_(caller), keeper_(keeper), limits_(limits), random_(random), calls_(calls) {}

  /// `pilot`: it only showed that batches must be longer.
  enum class Taken { pair, pilot, caller_over, slot_wrong };
  /// Fresh slots, and a pair on them.
  Taken take();
  /// The pair taken last; of a pilot, too.
  const BatchPair& pair() const { return pair_; }

 private:
  BatchCaller& caller_;
  SlotKeeper& keeper_;
  const SamplingLimits& limits_;
  Random& random_;
  BatchPair pair_;
  std::size_t calls_;  // K
  bool pilot_ = true;  // doubles K until a batch is long enough; its pairs are real ones, of few calls
};

/// How sampling ends where `taken` is no pair.
inline SamplingEnd end_for(Sampler::Taken taken) {
  return taken == Sampler::Taken::slot_wrong ? SamplingEnd::slot_wrong : SamplingEnd::caller_over;
}

/// Cold samples. `now` gives monotonic seconds; `calls` as in Sampler.
Sampling sample(BatchCaller& caller, SlotKeeper& keeper, const SamplingLimits& limits, Random& random,
                double (*now)(), std::size_t calls = 1);

/// As many slots of `slot_bytes` as `cache_bytes` hold, for calls of at most `seconds`. Calls go round over
/// them, so that a batch lasts even where the cache holds but one; unless each call goes on with what the one
/// before has left (`drifts`): then a slot is called once between two fillings.
HotPlan plan_hot(double cache_bytes, std::size_t slot_bytes, double seconds, std::size_t slots,
                 const SamplingLimits& limits, bool drifts);

/// Hot samples, `pairs` of them, after batches of K and 2K calls to warm. What the last of them left is
/// looked at, unless they drift: it was called more than once. Of replayed ones the first are: a graph may
/// lack a part of the calls.
Sampling sample_hot(BatchCaller& caller, SlotKeeper& keeper, const HotPlan& plan, int pairs);

}  // namespace ridgeline::judge
