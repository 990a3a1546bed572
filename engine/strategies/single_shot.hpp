// Asks once: how fine-tuned kernel models are used, and the least that every other strategy must beat.
#pragma once

#include <optional>

#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"
#include "engine/strategies/setting_table.hpp"

namespace ridgeline::strategies {

struct SingleShotSettings {
  std::optional<double> temperature;
  Examples examples = Examples::none;
  bool hardware = false;
};

SettingTable<SingleShotSettings> single_shot_table();

/// Attempts one request and ends.
Routine<> single_shot(Effects& effects, Brief brief, SingleShotSettings settings);

}  // namespace ridgeline::strategies
