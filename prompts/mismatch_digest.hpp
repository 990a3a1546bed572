// A wrong result in words: which case and inputs, how many elements, by how much, the first ones, the
// pattern.
#pragma once

#include <string>

#include "engine/core/task.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::prompts {

/// For the stages correctness and timing. Of an unseen case only the kind of failure: no shape, no values.
std::string mismatch_digest(const Verdict& verdict, const Task& task, int tokens);

}  // namespace ridgeline::prompts
