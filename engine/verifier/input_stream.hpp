// Draws the inputs of timed calls, each anew: none is a copy, a multiple, a window or a permutation of
// another, so nothing that a candidate computed of one call's inputs helps with those of the next.
//
// Instance k of a stream is a pure function of (task, case, set, seed, k), and of whether a CPU or a GPU
// draws it: only independent numbers have the same bits on both. The key of each instance is a SHA-256 of all
// of these (engine/core/draw_numbers.hpp). What only the reference can draw it draws for each instance, when
// the instance is first asked for; the last few of its draws are kept.
//
// Thread-safe once constructed; but draws on a GPU share torch's generators, and draws of a reference are
// made one after the other.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/draw_numbers.hpp"
#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// The input values of one case and input set, for any number of instances.
class InputStream {
 public:
  /// Keeps what it needs of `task`. Lets `reference` draw, and throws, as draw_inputs does. The reference
  /// must outlive this, and whatever asks for an instance that it draws may throw so too.
  InputStream(const Task& task, const Case& task_case, InputSet set, std::uint64_t seed,
              const Reference* reference = nullptr);
  InputStream(InputStream&&) noexcept;
  InputStream& operator=(InputStream&&) noexcept;
  ~InputStream();

  /// The number of in and inout tensors; `argument` below counts them in the order of parameters.
  std::size_t arguments() const;
  /// The size of one argument's values, in bytes.
  std::size_t bytes(std::size_t argument) const;
  /// The bytes of what may be kept: the reference's last draws, and a module's state.
  std::size_t kept_bytes() const;

  /// Describes an instance's values as numbers that are generated where they shall lie, as many as
  /// `count(argument)`; empty if they are not independent of each other.
  std::optional<numbers::Generation> generation(std::uint64_t instance, std::size_t argument) const;
  /// The numbers that an argument holds: two for each complex element.
  std::uint64_t count(std::size_t argument) const;

  /// Says whether the argument's values are draws of the reference, which are kept or shared: do not write
  /// there.
  bool keeps(std::size_t argument) const;
  /// Draws an instance's values as a contiguous tensor on `device`, or returns the one that is kept: do not
  /// write there.
  at::Tensor values(std::uint64_t instance, std::size_t argument, at::Device device) const;

  // The rest draws on the CPU.

  /// Writes `bytes(argument)` bytes at `buffer`, which needs the dtype's alignment.
  void refill(std::uint64_t instance, std::size_t argument, void* buffer) const;
  /// Says whether `buffer` still holds, bit by bit, what `refill` wrote for this instance.
  bool unchanged(std::uint64_t instance, std::size_t argument, const void* buffer) const;
  /// Returns the whole instance as tensors that own their memory, as draw_inputs does: for the reference.
  std::vector<at::Tensor> rebuild(std::uint64_t instance) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace ridgeline::verifier
