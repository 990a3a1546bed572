// Gives a runner the keys of sealed inputs, one for each digest, while a batch is under way: the judge's end
// of an exchange (runner/sealed_exchange.hpp, docs/decisions/sealed-inputs.md). One thread. Nothing here
// waits or fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cuda/sealing.hpp"
#include "engine/worker/runner/sealed_exchange.hpp"

namespace ridgeline::judge {

class KeyServer {
 public:
  /// Prepares `exchange`, which the runner maps, for a batch of keys.size() calls, at most
  /// runner::kMostSealedCalls. No key is in it yet. `exchange` must outlive this.
  KeyServer(runner::SealedExchange& exchange, std::span<const runner::SealedArgument> arguments,
            std::span<const std::uint64_t> keys);
  KeyServer(const KeyServer&) = delete;  // it writes to the exchange until it ends
  KeyServer& operator=(const KeyServer&) = delete;
  /// Overwrites the keys in the exchange with zeros.
  ~KeyServer();

  /// Publishes the key of the first call, and then one key for each further digest that it sees, which it
  /// copies before. Call it again and again from the window's opening on.
  void serve();
  /// Takes the digests that are still missing, at its first call: when the batch is over. None that comes
  /// later counts. Returns that of each call; of a call without one it has zeros.
  const std::vector<cuda::OutputDigest>& finish();

 private:
  void copy_digests();

  runner::SealedExchange& exchange_;
  std::vector<std::uint64_t> keys_;
  std::size_t published_ = 0, copied_ = 0;
  bool finished_ = false;
  std::vector<cuda::OutputDigest> digests_;
};

}  // namespace ridgeline::judge
