#include "engine/suites/kernelbenchx/settings.hpp"

#include <fmt/format.h>

#include "engine/suites/at_place.hpp"
#include "engine/suites/kernelbenchx/clone.hpp"
#include "engine/suites/modules/check_options.hpp"
#include "engine/yaml/file_paths.hpp"

namespace ridgeline::suites::kernelbenchx {

Settings read_settings(yaml::MapReader map) {
  Settings settings;
  const auto folder = map.demand("kernelbenchx");
  settings.folder = yaml::path_in_file(folder);
  settings.check = map.optional<bool>("check", settings.check);
  settings.timeout = map.optional<double>("timeout", settings.timeout, yaml::in_range(1, 86'400));
  const auto clone = at_place(folder, [&] { return open_clone(settings.folder); });
  if (const auto tasks = map.find("tasks")) {
    settings.tasks = tasks->as<std::vector<std::string>>();
    // Each name by itself, so that the complaint has the place of the wrong one.
    for (const auto& name : tasks->list())
      at_place(name, [&] { return select(clone, {name.as<std::string>()}); });
  }
  map.finish();
  return settings;
}

Settings settings_from(const std::string& folder, const OptionValues& options) {
  Settings settings;
  settings.folder = folder;
  const auto checked = modules::check_options_from(options);
  if (checked.timeout) settings.timeout = *checked.timeout;
  if (!checked.device.empty()) settings.device = checked.device;
  return settings;
}

std::vector<CommandOption> command_options() {
  return modules::check_options();
}

}  // namespace ridgeline::suites::kernelbenchx
