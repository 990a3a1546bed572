#include "engine/strategies/single_shot.hpp"

#include "engine/strategies/seeding.hpp"

namespace ridgeline::strategies {

SettingTable<SingleShotSettings> single_shot_table() {
  using S = SingleShotSettings;
  return SettingTable<S>()
      .real("temperature", &S::temperature, 0, 2, temperature_help)
      .choice("examples", &S::examples, examples_help)
      .flag("hardware", &S::hardware, hardware_help);
}

Routine<> single_shot(Effects& effects, Brief, SingleShotSettings settings) {
  std::vector<Ask> asks{
      with_examples_and_hardware(first_ask("single_shot/generate", settings.temperature), settings)};
  co_await effects.attempt_all(0, std::move(asks));
}

}  // namespace ridgeline::strategies
