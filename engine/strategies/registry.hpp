// Strategies by name, for presets and campaign files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"
#include "engine/strategies/settings.hpp"

namespace ridgeline::strategies {

/// Makes the coroutine of one trajectory. The Brief holds what a strategy knows of its trajectory: task,
/// language and seed. The Effects, and the task that the Brief refers to, must outlive the coroutine.
using StrategyFunction = std::function<Routine<>(Effects&, Brief)>;

std::vector<std::string> strategy_names();

// The functions below throw BadInput for an unknown strategy, and those that take settings also for an
// unknown setting and for a value of the wrong type or out of bounds. The message names the nearest valid
// name.

/// Returns the settings that the strategy takes; they live as long as the program.
const std::vector<SettingSpec>& settings_of(const std::string& strategy);
StrategyFunction make_strategy(const std::string& strategy, const Settings& settings);

// These return the most calls to models (including calls that ask for a critique) and the most evaluations
// that a trajectory can make, for `--plan`.
int upper_bound_of_calls(const std::string& strategy, const Settings& settings);
int upper_bound_of_evaluations(const std::string& strategy, const Settings& settings);

}  // namespace ridgeline::strategies
