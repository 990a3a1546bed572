// Strategies by name, for presets and campaign files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"
#include "engine/strategies/settings.hpp"

namespace ridgeline::strategies {

/// Starts one trajectory. The Effects and what the Brief refers to outlive the Routine.
using StrategyFunction = std::function<Routine<>(Effects&, Brief)>;

std::vector<std::string> strategy_names();

// Each of these throws BadInput with the nearest valid name for a strategy, and those that take settings for
// a setting, that does not exist, and for a value of the wrong type or out of bounds.

const std::vector<SettingSpec>& settings_of(const std::string& strategy);
StrategyFunction make_strategy(const std::string& strategy, const Settings& settings);

/// The most a trajectory can ask (critics counted) and evaluate: for `--plan`, before anything is spent.
int upper_bound_of_calls(const std::string& strategy, const Settings& settings);
int upper_bound_of_evaluations(const std::string& strategy, const Settings& settings);

}  // namespace ridgeline::strategies
