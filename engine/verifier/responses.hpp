// Collects how the oracle responds to perturbed inputs, for deriving tolerances with torch's operators.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>

namespace ridgeline::verifier {

/// Elements of a large tensor that are worked off at once: bounds the memory of intermediates.
inline constexpr std::int64_t kPieceElements = std::int64_t{1} << 25;

/// Collects how far the oracle's outputs move under each perturbation. Each output is folded in as it comes,
/// since large ones cannot be kept. One thread.
class Responses {
 public:
  /// `oracle` is kept and not changed. Distances of `many` elements and more are stored in float32.
  explicit Responses(const at::Tensor& oracle, std::int64_t many = std::int64_t{1} << 27);

  /// Adds the output of perturbation `number`, counted from 0; number 1 is the one at second_step. `draw` may
  /// be a part of it, from element `first` on.
  void add(const at::Tensor& draw, std::size_t number, std::int64_t first = 0);

  /// The largest distance of each element at first_step (infinite if that of the first perturbation was),
  /// and at second_step. float64, or float32 for many elements.
  const at::Tensor& first() const { return first_; }
  const at::Tensor& second() const { return second_; }
  /// The largest distance over all elements; infinite if any distance was not finite.
  double largest_first() const { return largest_first_; }
  double largest_second() const { return largest_second_; }

  /// Lets whoever derives tolerances write them over the distances: of gigabytes, others may find no room.
  void may_be_written_over() { expendable_ = true; }
  bool expendable() const { return expendable_; }

 private:
  at::Tensor oracle_, first_, second_;
  std::int64_t many_;
  double largest_first_ = 0, largest_second_ = 0;
  bool expendable_ = false;
};

}  // namespace ridgeline::verifier
