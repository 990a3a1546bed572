// Writes the figures that a suite's authors define (suite_score.hpp) as JSON. json.hpp puts them into the
// document that `ridgeline compare --json` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/compare/suite_score.hpp"

namespace ridgeline::compare {

/// Returns an object that the document holds under the suite's name:
///   "levels": names of the suite's levels;
///   "strategies": per strategy its "label" and "levels", each with "level" (its name; the last is "all"),
///     "faithful" and "hardened": the figures of LevelScore under the two rules of correctness;
///   "apart": per task of SuiteScore::apart its "task", "level", "standing", "reason", and under "strategies"
///     how many trajectories were "right" out of all "trajectories".
/// The shares under "fast" are null if a level has no tasks.
nlohmann::json to_json(const SuiteScore& score);

/// Returns {"kernels": how many, "geometric_mean": of their speed-ups, "interval": [low, high]}. If `speed`
/// is over no kernels, "kernels" is 0 and the other two are null.
nlohmann::json to_json(const Speed& speed);

}  // namespace ridgeline::compare
