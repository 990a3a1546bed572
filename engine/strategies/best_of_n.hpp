// Samples n independent answers: the baseline that feedback has to beat at the same number of calls.
#pragma once

#include <optional>

#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"
#include "engine/strategies/setting_table.hpp"

namespace ridgeline::strategies {

struct BestOfNSettings {
  int n = 10;  ///< calls
  std::optional<double> temperature;
  Examples examples = Examples::none;
  bool hardware = false;
};

SettingTable<BestOfNSettings> best_of_n_table();

/// Attempts `n` equal requests in one joined batch and ends. The fastest correct candidate counts.
Routine<> best_of_n(Effects& effects, Brief brief, BestOfNSettings settings);

}  // namespace ridgeline::strategies
