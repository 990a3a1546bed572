#include "engine/strategies/single_shot.hpp"

#include "engine/strategies/seeding.hpp"

namespace ridgeline {

SettingTable<SingleShotSettings> single_shot_table() {
  return SettingTable<SingleShotSettings>().real("temperature", &SingleShotSettings::temperature, 0, 2,
                                                 temperature_help);
}

Routine<> single_shot(Effects& effects, Brief, SingleShotSettings settings) {
  auto asks = independent_asks(1, "single_shot/generate", settings.temperature);
  co_await effects.attempt_all(0, std::move(asks));
}

}  // namespace ridgeline
