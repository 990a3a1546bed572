// Writes KernelBench-X's figures of a comparison: quantization, structure, code.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Adds "quantization", "structure" and "code", each a list of rows; empty where there is nothing to say.
void add_kernelbench_x(nlohmann::json& document, const Comparison& comparison);

}  // namespace ridgeline::compare
