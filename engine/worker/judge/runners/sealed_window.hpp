// The judge's end of an exchange of keys and digests, while a batch with sealed inputs is under way
// (docs/decisions/sealed-inputs.md). One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cuda/sealing.hpp"
#include "engine/worker/runner/sealed_exchange.hpp"

namespace ridgeline::judge {

class SealedWindow {
 public:
  /// Prepares `exchange`, which the runner maps, for a batch of keys.size() calls, at most
  /// runner::kMostSealedCalls. No key is in it yet. `exchange` must outlive this.
  SealedWindow(runner::SealedExchange& exchange, std::span<const runner::SealedArgument> arguments,
               std::span<const std::uint64_t> keys);
  SealedWindow(const SealedWindow&) = delete;  // it writes to the exchange until it ends
  SealedWindow& operator=(const SealedWindow&) = delete;
  /// Takes the keys back.
  ~SealedWindow();

  /// Publishes the key of the first call, and then one key for each further digest that it sees, which it
  /// copies before. Call it again and again from the window's opening on.
  void serve();
  /// Takes the digests that are still missing, at its first call: when the batch is over. None that comes
  /// later counts. Returns that of each call; of a call without one it has zeros.
  const std::vector<cuda::SealDigest>& finish();

 private:
  void copy_digests();

  runner::SealedExchange& exchange_;
  std::vector<std::uint64_t> keys_;
  std::size_t published_ = 0, copied_ = 0;
  bool finished_ = false;
  std::vector<cuda::SealDigest> digests_;
};

}  // namespace ridgeline::judge
