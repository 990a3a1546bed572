// Describes a wrong result: which case and inputs, how many elements, by how much, the first of them, and the
// pattern.
#pragma once

#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// Serves the stages correctness and timing. About an unseen case it gives the kind of failure alone: no
/// shape and no values.
std::string mismatch_digest(const Verdict& verdict, const Task& task, int tokens);

}  // namespace ridgeline::prompts
