#include "engine/suites/kernelbench/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/byte_size.hpp"
#include "engine/core/error.hpp"
#include "engine/suites/at_place.hpp"
#include "engine/suites/kernelbench/clone.hpp"
#include "engine/suites/modules/check_options.hpp"
#include "engine/yaml/file_paths.hpp"

namespace ridgeline::suites::kernelbench {

Settings read_settings(yaml::MapReader map) {
  Settings settings;
  const auto folder = map.demand("kernelbench");
  settings.folder = yaml::path_in_file(folder);
  settings.check = map.optional<bool>("check", settings.check);
  settings.timeout = map.optional<double>("timeout", settings.timeout, yaml::in_range(1, 86'400));
  if (const auto precision = map.find("precision"))
    settings.posing.cast_to = at_place(
        *precision, [&] { return modules::parse_precision(precision->as<std::string>(), "precision"); });
  if (const auto scale = map.find("scale"))
    settings.posing.divisor =
        at_place(*scale, [&] { return modules::parse_scale_divisor(scale->as<std::string>(), "scale"); });
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
      at_place(name, [&] {
        return select(clone, {without_label_suffix(name.as<std::string>(), settings.posing)});
      });
  }
  map.finish();
  return settings;
}

std::string without_label_suffix(std::string name, const modules::Posing& posing) {
  const auto suffix = posing.label_suffix();
  if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  return name;
}

Settings settings_from(const std::string& folder, const OptionValues& options) {
  Settings settings;
  settings.folder = folder;
  if (const auto levels = options.find("--levels"); levels != options.end() && !levels->second.empty())
    settings.levels = parse_levels(levels->second);
  if (const auto precision = options.find("--precision");
      precision != options.end() && !precision->second.empty())
    settings.posing.cast_to = modules::parse_precision(precision->second, "--precision");
  if (const auto scale = options.find("--scale"); scale != options.end() && !scale->second.empty())
    settings.posing.divisor = modules::parse_scale_divisor(scale->second, "--scale");
  const auto checked = modules::check_options_from(options);
  if (checked.timeout) settings.timeout = *checked.timeout;
  if (!checked.device.empty()) settings.device = checked.device;
  if (const auto memory = options.find("--device-memory");
      memory != options.end() && !memory->second.empty()) {
    const auto bytes = byte_size(memory->second);
    if (!bytes)
      throw BadInput(fmt::format("--device-memory: '{}' is no size; write it as 24GiB", memory->second));
    settings.device_memory = *bytes;
  }
  return settings;
}

std::vector<CommandOption> command_options() {
  auto options = modules::check_options();
  options.insert(options.begin(), {"--levels", "Of a suite kernelbench:PATH (default: 1,2,3)", "N,N"});
  options.push_back({"--device-memory",
                     "Of the memory there, what a task may take, as 24GiB (default: what is free)", "SIZE",
                     OptionOf::check});
  options.push_back({"--precision", "Tasks of a suite kernelbench:PATH in fp32, fp16 or bf16 (default: fp32)",
                     "WORD", OptionOf::tasks_and_answers});
  options.push_back({"--scale", "Such tasks with smaller shapes: what get_inputs draws from, divided, as 1/4",
                     "1/N", OptionOf::tasks_and_answers});
  return options;
}

}  // namespace ridgeline::suites::kernelbench
