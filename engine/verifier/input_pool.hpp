// Provides fresh input values at the speed of a copy, for slots that are refilled all the time.
//
// Instance k of a pool is a pure function of (task, case, set, seed, k). Draws with independent elements are
// windows into a larger secret array, at an offset that no two of the first 65,536 instances share. Draws
// with many independent rows (permutations, for example) are windows of whole rows, as many as there are
// rows. Matrices with an invariant are drawn in advance and multiplied by a fresh factor. What the reference
// draws is chosen from a few draws that are kept, since only the reference knows what may vary. Everything
// else, and the edge set, is drawn anew.
//
// Thread-safe once constructed: every member is const.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// The input values of one case and input set, for any number of instances.
class InputPool {
 public:
  /// Draws the pool and keeps what it needs of `task`. Uses `reference`, and throws, as draw_inputs does.
  InputPool(const Task& task, const Case& task_case, InputSet set, std::uint64_t seed,
            const Reference* reference = nullptr);
  InputPool(InputPool&&) noexcept;
  InputPool& operator=(InputPool&&) noexcept;
  ~InputPool();

  /// The number of in and inout tensors; `argument` below counts them in the order of parameters.
  std::size_t arguments() const;
  /// The size of one argument's values, in bytes.
  std::size_t bytes(std::size_t argument) const;

  // refill, unchanged and rebuild read CPU memory. An argument whose window lies on a device can only be
  // copied there.

  /// Writes `bytes(argument)` bytes at `buffer`, which needs the dtype's alignment.
  void refill(std::uint64_t instance, std::size_t argument, void* buffer) const;

  /// The place of an instance's values in memory that never changes, as the source of a copy.
  struct Window {
    const void* pool = nullptr;  ///< the whole pool of this argument
    std::size_t pool_bytes = 0;
    std::size_t offset = 0;  ///< of the instance's `bytes(argument)` bytes
    bool on_device = false;  ///< the addresses belong to the reference's device, not to the CPU
  };
  /// Returns that place; empty if the instance has to be computed (matrices, redrawn sets).
  std::optional<Window> window(std::uint64_t instance, std::size_t argument) const;

  /// Says whether `buffer` still holds, bit by bit, what `refill` wrote for this instance.
  bool unchanged(std::uint64_t instance, std::size_t argument, const void* buffer) const;

  /// Returns the whole instance as tensors that own their memory, as draw_inputs does: for the reference.
  std::vector<at::Tensor> rebuild(std::uint64_t instance) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace ridgeline::verifier
