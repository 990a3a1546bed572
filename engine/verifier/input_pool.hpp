// Fresh input values at the speed of a copy, for slots that are refilled all the time.
//
// Instance k of a pool is a pure function of (task, case, set, seed, k). Draws with independent elements are
// windows into a larger secret array, at an offset that no two of the first 65,536 instances share; of many
// independent rows (permutations, say) windows of whole rows, of which there are as many as rows; matrices
// with an invariant are pre-drawn and multiplied by a fresh factor; what the reference draws is one of a few
// draws kept, since only it knows what may vary; all others, and the edge set, are drawn anew.
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

class InputPool {
 public:
  /// Draws the pool; keeps what it needs of `task`. Asks `reference`, and throws, as draw_inputs does.
  InputPool(const Task& task, const Case& one, InputSet set, std::uint64_t seed,
            const Reference* reference = nullptr);
  InputPool(InputPool&&) noexcept;
  InputPool& operator=(InputPool&&) noexcept;
  ~InputPool();

  /// Number of in and inout tensors; `argument` below counts them in the order of parameters.
  std::size_t arguments() const;
  std::size_t bytes(std::size_t argument) const;

  // What a window says to lie on a device is for copies there alone; the three others of these are for the
  // CPU.

  /// Writes `bytes(argument)` bytes at `buffer`, which needs the dtype's alignment.
  void refill(std::uint64_t instance, std::size_t argument, void* buffer) const;

  /// Where the values of an instance lie ready in memory that never changes, if they do: for a copy
  /// elsewhere.
  struct Window {
    const void* pool = nullptr;  ///< the whole pool of this argument
    std::size_t pool_bytes = 0;
    std::size_t offset = 0;  ///< of the instance's `bytes(argument)` bytes
    bool on_device = false;  ///< where the reference computes: no address of the CPU's
  };
  std::optional<Window> window(std::uint64_t instance, std::size_t argument) const;

  /// Whether `buffer` still holds, bit by bit, what `refill` wrote for this instance.
  bool unchanged(std::uint64_t instance, std::size_t argument, const void* buffer) const;

  /// The whole instance as tensors of its own, as draw_inputs gives them: for the reference.
  std::vector<at::Tensor> rebuild(std::uint64_t instance) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace ridgeline::verifier
