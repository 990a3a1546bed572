#pragma once

#include <optional>

#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"
#include "engine/strategies/setting_table.hpp"

namespace ridgeline::strategies {

struct BestOfNSettings {
  int n = 10;
  std::optional<double> temperature;
  Examples examples = Examples::none;
  bool hardware = false;
};

SettingTable<BestOfNSettings> best_of_n_table();

/// n independent calls at once; the fastest correct one counts. It shows what sampling alone is worth, which
/// is what feedback has to beat at the same number of calls.
Routine<> best_of_n(Effects& effects, Brief brief, BestOfNSettings settings);

}  // namespace ridgeline::strategies
