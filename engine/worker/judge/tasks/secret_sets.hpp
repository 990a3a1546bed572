// Secret inputs with what they must give, for one case and input set: a few, drawn from at random and renewed
// as the judge goes, so that no candidate meets values that an earlier one could have told of.
//
// Everything here lies in the judge's own memory, never in a memory file. One thread.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/statistics.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::judge {

struct SecretInputs {
  std::vector<at::Tensor> inputs;  ///< in and inout tensors, in the order of parameters
  verifier::Expected expected;
  std::size_t bytes = 0;
};

class SecretSets {
 public:
  SecretSets(const Task& task, const Case& one, InputSet set) : task_(task), case_(one), set_(set) {}

  /// One of those kept, at random; draws the first when there is none. Throws BadInput as the verifier does.
  const SecretInputs& draw(const verifier::Reference& reference, Random& random);
  /// Another one than `not_this`; draws it if needed.
  const SecretInputs& draw_other(const verifier::Reference& reference, Random& random,
                                 const SecretInputs& not_this);
  /// Adds one more or replaces the oldest. References given before stay valid until the second call after.
  void renew(const verifier::Reference& reference, Random& random);

  /// The one drawn last; null where none is kept.
  const SecretInputs* latest() const { return kept_.empty() ? nullptr : kept_.back().get(); }

  /// Keeps none: the next draw derives expectations anew.
  void drop() { kept_.clear(); }

  InputSet set() const { return set_; }
  std::size_t bytes() const;
  double seconds_to_draw() const { return seconds_to_draw_; }

 private:
  std::vector<at::Tensor> draw_anew(const verifier::Reference& reference, Random& random) const;

  const Task& task_;
  const Case& case_;
  InputSet set_;
  std::vector<std::unique_ptr<SecretInputs>> kept_;  // oldest first
  double seconds_to_draw_ = 0;
};

}  // namespace ridgeline::judge
