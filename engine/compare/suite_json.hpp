#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/compare/suite_score.hpp"

namespace ridgeline::compare {

/// Returns a suite's figures as a part of a comparison's document.
nlohmann::json to_json(const SuiteScore& score);

/// Returns a summary of speed-ups; without a kernel its figures are null.
nlohmann::json to_json(const Speed& speed);

}  // namespace ridgeline::compare
