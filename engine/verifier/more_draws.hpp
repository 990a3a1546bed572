// Measures conditions anew, with more draws, where a kernel misses few elements.
//
// The condition of an element is the largest of four random sums (tolerance.hpp: k). All four come out small
// by chance: where two terms cancel, below a sixteenth of their magnitude for 13 elements in a million. Such
// an element's tolerance is too small by as much, and an honest kernel may be beyond it. Twelve draws all do
// so for less than one element in 10^14. Most kernels are right or miss many elements, so the further draws
// are made for the others alone.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/verifier/compare.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// Runs of the reference that `with_more_draws` makes.
inline constexpr std::size_t further_perturbations = 8;

/// Whether more draws could change `compared`: few elements of one output are beyond their tolerance, which
/// was derived from conditions (contract Elementwise).
bool may_change_by_more_draws(const Task& task, const Comparison& compared);

/// Returns `expected` with the tolerances and scales that further draws give. They are nowhere smaller, and
/// at most raise_limit times as large. `inputs` and `expected` belong together, on the CPU or on a device.
/// Throws as `expect` does.
Expected with_more_draws(const Reference& reference, const Task& task, const Case& task_case, InputSet set,
                         const std::vector<at::Tensor>& inputs, const Expected& expected);

}  // namespace ridgeline::verifier
