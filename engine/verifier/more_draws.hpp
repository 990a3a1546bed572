// Widens tolerances that came out too small by chance, where a kernel has only few wrong elements.
//
// The condition of an element is the largest response to four random perturbations (tolerance.hpp: k). By
// chance all four are small: of two terms that cancel, each perturbed by a half to three halves of the step
// in either direction, a sixteenth remains or less in 13 elements of a million. Such an element's tolerance
// is too small by as much, and an honest kernel may exceed it. With eight further draws all twelve are that
// small in less than one element of 10^14. Most kernels have no wrong element or many: further draws are made
// for the few that are left.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <vector>

#include "engine/verifier/compare.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// Further perturbed runs of the reference that `with_more_draws` makes.
inline constexpr std::size_t further_perturbations = 8;

/// Returns whether more draws could make `compared` pass: at most one in ten thousand elements of an output,
/// or one, exceed a tolerance that was derived from conditions (contract Elementwise).
bool may_pass_by_more_draws(const Task& task, const Comparison& compared);

/// Returns `expected` with tolerances and scales by the conditions that further draws show. A finite one is
/// at least what it was, and at most raise_limit times that; an infinite one stays. `expected` was derived
/// for `inputs`; both lie on the CPU or both on a device. Throws as `expect` (expected.hpp) does.
Expected with_more_draws(const Reference& reference, const Task& task, const Case& task_case, InputSet set,
                         const std::vector<at::Tensor>& inputs, const Expected& expected);

}  // namespace ridgeline::verifier
