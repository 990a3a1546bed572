// Gives a random task other seeds while its other inputs stay: what calls of one kernel are told apart by.
//
// A seed is an input of role in, dtype int64 and at most four elements.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::verifier {

/// The calls of a random task that are compared with each other for one case, 3 to 40: as many as give 2^17
/// elements of the smallest output. Short outputs show a period only if several calls are joined.
std::size_t calls_to_compare(const Task& task, const Case& task_case);

/// Returns the inputs of the calls after the first: `inputs` (in and inout tensors in the order of
/// parameters, on the CPU) with other seeds, which are all different; the other tensors are shared. The first
/// turns the lowest bit of each seed, since many a poor kernel adds its seed to a counter; the others draw
/// seeds as the task says, from `word`. Fewer than calls_to_compare asks for where seeds have few values;
/// none where the task has no seed.
std::vector<std::vector<at::Tensor>> inputs_with_other_seeds(const Task& task, const Case& task_case,
                                                             const std::vector<at::Tensor>& inputs,
                                                             std::uint64_t word);

}  // namespace ridgeline::verifier
