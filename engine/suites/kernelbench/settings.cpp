#include "engine/suites/kernelbench/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/core/byte_size.hpp"
#include "engine/core/error.hpp"
#include "engine/suites/at_place.hpp"
#include "engine/suites/kernelbench/clone.hpp"
#include "engine/yaml/file_paths.hpp"

namespace ridgeline::suites::kernelbench {
namespace {

double seconds_in(const std::string& text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || !(seconds > 0) || !std::isfinite(seconds))
    throw BadInput(fmt::format("--timeout: '{}' is no number of seconds; write it as 120", text));
  return seconds;
}

}  // namespace

Settings read_settings(yaml::MapReader map) {
  Settings settings;
  const auto folder = map.demand("kernelbench");
  settings.folder = yaml::path_in_file(folder);
  settings.check = map.optional<bool>("check", settings.check);
  settings.timeout = map.optional<double>("timeout", settings.timeout, yaml::in_range(1, 86'400));
  auto clone = at_place(folder, [&] { return open_clone(settings.folder); });
  if (const auto levels = map.find("levels")) {
    settings.levels = levels->as<std::vector<int>>(yaml::in_range(1, 4));
    if (settings.levels.empty()) levels->fail("levels is empty: name at least one, or leave it out");
    std::sort(settings.levels.begin(), settings.levels.end());
    settings.levels.erase(std::unique(settings.levels.begin(), settings.levels.end()), settings.levels.end());
    clone = at_place(*levels, [&] { return open_clone(settings.folder, settings.levels); });
  }
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
  const auto value_of = [&](const char* name) {
    const auto option = options.find(name);
    return option == options.end() ? std::string() : option->second;
  };
  if (const auto levels = value_of("--levels"); !levels.empty()) settings.levels = parse_levels(levels);
  if (const auto timeout = value_of("--timeout"); !timeout.empty()) settings.timeout = seconds_in(timeout);
  if (const auto device = value_of("--device"); !device.empty()) settings.device = device;
  if (const auto memory = value_of("--device-memory"); !memory.empty()) {
    const auto bytes = byte_size(memory);
    if (!bytes) throw BadInput(fmt::format("--device-memory: '{}' is no size; write it as 24GiB", memory));
    settings.device_memory = *bytes;
  }
  return settings;
}

std::vector<CommandOption> command_options() {
  return {{"--levels", "Of a suite kernelbench:PATH (default: 1,2,3)", "N,N", false},
          {"--timeout", "Seconds a task of a suite kernelbench:PATH (default: 300)", "FLOAT", true},
          {"--device", "Where such a suite's tasks run: cpu or cuda:INDEX", "TEXT", true},
          {"--device-memory", "Of the memory there, what a task may take, as 24GiB (default: what is free)",
           "SIZE", true}};
}

}  // namespace ridgeline::suites::kernelbench
