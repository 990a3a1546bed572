// Gives a runner the keys of sealed inputs, one for each digest, while a batch is under way: the judge's end
// of an exchange (runner/sealed_exchange.hpp, docs/decisions/sealed-inputs.md). One thread. Nothing here
// waits or fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/cuda/sealing.hpp"
#include "engine/worker/runner/sealed_exchange.hpp"

namespace ridgeline::judge {

/// Says what a runner does in a batch with sealed inputs, of a call for each key.
struct SealedBatch {
  std::span<const runner::SealedArgument> arguments;  ///< of the arena in use
  std::span<const std::uint64_t> keys;                ///< at most runner::kMostSealedCalls
  bool empties_cache = true;                          ///< the L2, before each call
};

class KeyServer {
 public:
  /// Prepares `exchange`, which the runner maps, for a batch. No key is in it yet. `exchange` must outlive
  /// this.
  KeyServer(runner::SealedExchange& exchange, const SealedBatch& batch);
  KeyServer(const KeyServer&) = delete;  // it writes to the exchange until it ends
  KeyServer& operator=(const KeyServer&) = delete;
  /// Overwrites the keys in the exchange with zeros.
  ~KeyServer();

  /// Publishes the key of the first call, and then one key for each further digest that it sees, which it
  /// copies before. Call it again and again from the window's opening on. `now`: seconds of any clock.
  void serve(double now);
  /// Returns the longest time between two calls of `serve`, or the last one and `finish`, seconds. A runner
  /// that got no key within it is not to blame.
  double longest_absence() const { return longest_absence_; }
  /// Takes the digests that are still missing, at its first call: when the batch is over, at `now`. None that
  /// comes later counts.
  void finish(double now);
  /// Returns the digest of each call; of a call without one it has zeros.
  const std::vector<cuda::OutputDigest>& digests() const { return digests_; }

 private:
  void note_absence(double now);
  void copy_digests();

  runner::SealedExchange& exchange_;
  std::vector<std::uint64_t> keys_;
  std::size_t published_ = 0, copied_ = 0;
  bool finished_ = false;
  std::optional<double> served_;  // when
  double longest_absence_ = 0;
  std::vector<cuda::OutputDigest> digests_;
};

}  // namespace ridgeline::judge
