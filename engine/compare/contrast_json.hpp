// Writes what follows from a comparison, and the figures of strategies in pairs, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Adds the keys "conclusion", "contrasts", "attribution" and "noise_floors".
void add_contrasts(nlohmann::json& document, const Comparison& comparison);

}  // namespace ridgeline::compare
