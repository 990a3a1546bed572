// Finds the seeds among a random task's inputs. For the correctness check it gives calls other seeds while
// their other inputs stay; timed calls differ in all inputs.
//
// A seed is an input of role in, dtype int64 and one to four elements, which the task draws from at least two
// values.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// Returns how many calls of a random task are compared with each other for one case, the first included:
/// from 3 to 40. Together they have about 2^17 elements of the smallest output. Outputs with a count, whose
/// rows depend on the data, are left out of this. Short outputs show a period only if several calls are
/// joined.
std::size_t calls_to_compare(const Task& task, const Case& task_case);

/// Returns the inputs of the calls after the first: `inputs` (in and inout tensors in the order of
/// parameters, on the CPU) with other seeds; the other tensors are shared. The second call's seeds differ
/// from the first's in the lowest bit, since many a poor kernel adds its seed to a counter. Where the task
/// does not draw that value, they are one less or one more. Seeds in ascending order and permutations have no
/// such neighbour. All other seeds are drawn as the task says, from `word`. Calls are left out whose seeds
/// came before, so there may be fewer than calls_to_compare() - 1, and there are none if the task has no
/// seed.
std::vector<std::vector<at::Tensor>> inputs_with_other_seeds(const Task& task, const Case& task_case,
                                                             const std::vector<at::Tensor>& inputs,
                                                             std::uint64_t word);

/// Returns whether some seed differs between two calls of the task with inputs `a` and `b` (in and inout
/// tensors in the order of parameters, on any device); false if the task has no seed.
bool seeds_differ(const Task& task, const Case& task_case, const std::vector<at::Tensor>& a,
                  const std::vector<at::Tensor>& b);

}  // namespace ridgeline::verifier
