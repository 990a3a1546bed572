// Strategies by name, for presets and campaign files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"
#include "engine/strategies/settings.hpp"

namespace ridgeline::strategies {

/// Makes the coroutine of one trajectory. The Effects, and the task that the Brief refers to, must outlive
/// it.
using StrategyFunction = std::function<Routine<>(Effects&, Brief)>;

std::vector<std::string> strategy_names();

// Each of these throws BadInput for an unknown strategy, and those that take settings also for an unknown
// setting and for a value of the wrong type or out of bounds. The message names the nearest valid name.

const std::vector<SettingSpec>& settings_of(const std::string& strategy);
StrategyFunction make_strategy(const std::string& strategy, const Settings& settings);

// These return the most calls (critics included) and evaluations that a trajectory can make, for `--plan`.
int upper_bound_of_calls(const std::string& strategy, const Settings& settings);
int upper_bound_of_evaluations(const std::string& strategy, const Settings& settings);

}  // namespace ridgeline::strategies
