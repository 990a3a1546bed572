#include "engine/strategies/best_of_n.hpp"

#include "engine/strategies/seeding.hpp"

namespace ridgeline::strategies {

SettingTable<BestOfNSettings> best_of_n_table() {
  using S = BestOfNSettings;
  return SettingTable<S>()
      .integer("n", &S::n, 1, 1000, "independent attempts")
      .real("temperature", &S::temperature, 0, 2, temperature_help)
      .choice("examples", &S::examples, examples_help)
      .flag("hardware", &S::hardware, hardware_help);
}

Routine<> best_of_n(Effects& effects, Brief, BestOfNSettings settings) {
  auto asks = independent_asks(settings.n, "best_of_n/generate", settings.temperature);
  for (auto& ask : asks) ask = with_examples_and_hardware(std::move(ask), settings);
  co_await effects.attempt_all(0, std::move(asks));
  // There is nothing to choose here: every attempt is in the store, and "best so far" is a query over it.
}

}  // namespace ridgeline::strategies
