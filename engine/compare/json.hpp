// Writes a comparison as a JSON document for other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/compare/compare.hpp"

namespace ridgeline::compare {

/// Raised when a field changes its meaning or is removed; new fields do not raise it.
inline constexpr int json_schema_version = 3;

/// Returns {"schema": "ridgeline-comparison", "version": 3, …}. Serialize it with error_handler_t::replace,
/// since labels come from outside and may not be UTF-8.
nlohmann::json to_json(const Comparison& comparison);

}  // namespace ridgeline::compare
