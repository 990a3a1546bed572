// Finds out whether a script draws random numbers, from its graph and without running it.
#pragma once

#include <torch/csrc/jit/api/compilation_unit.h>

#include <optional>

#include "engine/verifier/script_error.hpp"

namespace ridgeline::verifier {

/// Returns the first operator that draws, with its place; empty if none does. Dropout that is switched off
/// does not draw. Memory that nothing wrote (torch.empty) is not detected here: it shows when a reference is
/// run twice.
std::optional<ScriptError> find_randomness(const torch::jit::CompilationUnit& unit);

}  // namespace ridgeline::verifier
