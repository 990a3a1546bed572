// Keeps a few secret inputs with their expected outputs, for one case and input set. Each candidate gets one
// at random, and they are renewed over time, so that no candidate could know them from an earlier one.
//
// Everything here lies in the judge's own memory, never in memory that a runner maps. One thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/statistics.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/error_bounds.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::judge {

/// Inputs and what they must give.
struct SecretInputs {
  std::vector<at::Tensor> inputs;  ///< in and inout tensors, in the order of parameters
  verifier::Expected expected;
  std::size_t bytes = 0;  ///< of inputs and expectation
};

class SecretSets {
 public:
  /// Task and case must outlive it. Draws nothing yet. `slice`: DeviceMemory::slice_elements.
  SecretSets(const Task& task, const Case& definition, InputSet set, std::int64_t slice = 0)
      : task_(task), case_(definition), set_(set), slice_(slice) {}

  /// Returns a kept one at random; draws the first if none is kept. Throws BadInput as the verifier does.
  const SecretInputs& draw(const verifier::Reference& reference, Random& random);
  /// Draws one more; of more than three the oldest goes. A reference that `draw` returned may end with
  /// the next `renew`.
  void renew(const verifier::Reference& reference, Random& random);

  /// Draws inputs alone, where the task is judged: of a case whose expectation has no room beside its calls.
  std::vector<at::Tensor> draw_anew(const verifier::Reference& reference, Random& random) const;
  /// Derives the expectation for `inputs`, which `draw_anew` drew, and keeps both as `renew` does.
  const SecretInputs& expect_for(const verifier::Reference& reference, std::vector<at::Tensor> inputs);

  /// Returns the one that was drawn last; null if none is kept.
  const SecretInputs* latest() const { return kept_.empty() ? nullptr : kept_.back().get(); }

  /// Forgets all: the next draw computes expectations anew.
  void drop() { kept_.clear(); }

  /// Returns how far outputs may be from one run of the reference, for any inputs drawn like these: as it was
  /// for the set that was drawn last, also if that is forgotten by now. Empty before, and where there are no
  /// such bounds.
  const std::optional<std::vector<verifier::OutputBounds>>& bounds() const { return bounds_; }

  InputSet set() const { return set_; }
  std::size_t bytes() const;
  /// The seconds that the last drawing took, expectation included; 0 before.
  double seconds_to_draw() const { return seconds_to_draw_; }

 private:
  const Task& task_;
  const Case& case_;
  InputSet set_;
  std::int64_t slice_;
  std::vector<std::unique_ptr<SecretInputs>> kept_;  // oldest first
  std::optional<std::vector<verifier::OutputBounds>> bounds_;
  double seconds_to_draw_ = 0;
};

}  // namespace ridgeline::judge
