// Whether a script draws random numbers, told by its graph and so without running it.
#pragma once

#include <torch/csrc/jit/api/compilation_unit.h>

#include <optional>

#include "engine/verifier/script_error.hpp"

namespace ridgeline::verifier {

/// The first operator that draws, with its place; dropout that is off does not. Memory that nothing wrote
/// (torch.empty) is not looked for: that shows when a reference is run twice.
std::optional<ScriptError> find_randomness(const torch::jit::CompilationUnit& unit);

}  // namespace ridgeline::verifier
