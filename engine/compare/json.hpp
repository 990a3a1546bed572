// A comparison as a document for other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Raised whenever a field changes its meaning or goes; new fields leave it as it is.
inline constexpr int json_schema_version = 2;

/// {"schema": "ridgeline-comparison", "version": 2, …}. Serialize with error_handler_t::replace: labels come
/// from outside.
nlohmann::json to_json(const Comparison& comparison);

}  // namespace ridgeline::compare
