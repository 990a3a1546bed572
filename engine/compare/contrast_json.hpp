// Writes what follows from a comparison, and the figures of strategies in pairs and of devices, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Adds the keys "conclusion", "contrasts", "attribution", "across_devices" (null if no kernel was timed on
/// several) and "noise_floors".
void add_contrasts(nlohmann::json& document, const Comparison& comparison);

}  // namespace ridgeline::compare
