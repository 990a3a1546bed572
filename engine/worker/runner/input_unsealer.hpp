// The port by which a runner opens the inputs of a call when the judge gives their key, and commits to the
// call's outputs before it gets the next (docs/decisions/sealed-inputs.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::runner {

/// Order of use: `prepare` once, before the candidate is loaded; then for each batch `begin`, and for each
/// of its calls `unseal`, the call itself, `commit`. `unseal` and `commit` only queue work on the legacy
/// default stream, which waits for no other stream that does not block: keep them apart by
/// Side::separate. Every member throws an exception that says what failed. One thread.
class InputUnsealer {
 public:
  virtual ~InputUnsealer() = default;

  /// Maps the exchange (sealed_exchange.hpp) and `memory`, an allocation of the device of `memory_bytes`
  /// bytes. Its first `evicted_bytes` are read to empty the L2 before a call, where the exchange asks for it.
  virtual void prepare(FileDescriptor exchange, FileDescriptor memory, std::uint64_t memory_bytes,
                       std::uint64_t evicted_bytes) = 0;
  /// Begins a batch of `count` calls. Argument a of call i lies at pointers[i * arguments + a], as many as
  /// the exchange says.
  virtual void begin(std::span<void* const> pointers, std::size_t count) = 0;
  /// Waits on the device for the key of the batch's call number `call`, opens its inputs, and empties the L2
  /// if the exchange asks for it.
  virtual void unseal(std::size_t call) = 0;
  /// Writes the digest of the call's outputs into the exchange.
  virtual void commit(std::size_t call) = 0;
  /// Says which call of the batch got no key, whose work the device then ended with an error; "" if none.
  virtual std::string missing_key() const { return {}; }
};

/// Makes one on CUDA device `device`, whose context must be current.
std::unique_ptr<InputUnsealer> make_cuda_input_unsealer(int device);

}  // namespace ridgeline::runner
