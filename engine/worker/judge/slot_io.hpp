// Writing a call's inputs into a slot and reading back what it left there.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/core/task.hpp"
#include "engine/worker/judge/arena.hpp"
#include "engine/worker/judge/prepared_task.hpp"

namespace ridgeline::judge {

/// Poison in every out tensor of the slot; the in-outs and inputs are not touched.
void poison_outputs(const Task& task, const Arena& arena, std::size_t slot);

/// `inputs` (in and inout tensors, in the order of parameters) into the slot, poison into its outputs.
void fill_slot(const Task& task, const Arena& arena, std::size_t slot, const std::vector<at::Tensor>& inputs);
void fill_slot(const Task& task, const Arena& arena, std::size_t slot, const Instance& instance);

/// Name of the first tensor of role in whose bytes are no longer `inputs`; empty: all as they were.
std::optional<std::string> changed_input(const Task& task, const Case& one, const Arena& arena,
                                         std::size_t slot, const std::vector<at::Tensor>& inputs);
std::optional<std::string> changed_input(const Task& task, const Arena& arena, std::size_t slot,
                                         const Instance& instance);

/// Copies of the slot's out and inout tensors, at full capacity, in the order of parameters: private memory,
/// so that nothing can change between two looks at it.
std::vector<at::Tensor> snapshot_outputs(const Task& task, const Case& one, const Arena& arena,
                                         std::size_t slot);

/// The slot's in and inout tensors as views, for the reference.
std::vector<at::Tensor> view_inputs(const Task& task, const Case& one, const Arena& arena, std::size_t slot);

/// Name of an out tensor of fixed size that, at places taken at random, nobody wrote; cheap enough for every
/// slot of a timed batch. Misses a partly written buffer: that is what the full comparisons are for.
std::optional<std::string> unwritten_output(const Task& task, const Arena& arena, std::size_t slot,
                                            Random& random);

}  // namespace ridgeline::judge
