#include "engine/suites/native/settings.hpp"

#include <string>
#include <vector>

#include "benchmark_tasks/suite_folder.hpp"
#include "engine/suites/at_place.hpp"
#include "engine/yaml/file_paths.hpp"

namespace ridgeline::suites::native {

std::filesystem::path folder_of(const std::filesystem::path& folder) {
  return folder.empty() ? benchmark_tasks::default_suite_folder() : folder;
}

Settings read_settings(yaml::MapReader map) {
  Settings settings;
  const auto path = map.find("path");
  if (path) settings.folder = yaml::path_in_file(*path);
  auto& filter = settings.filter;
  filter.names = map.optional("tasks", std::vector<std::string>());
  filter.categories = map.optional("categories", std::vector<std::string>());
  const auto difficulties = yaml::in_range(1, 5);
  filter.min_difficulty = map.optional<int>("min_difficulty", 1, difficulties);
  filter.max_difficulty = map.optional<int>("max_difficulty", 5, difficulties);
  map.finish();

  settings.suite = std::make_shared<const benchmark_tasks::Suite>(at_place(
      path ? *path : map.node(), [&] { return benchmark_tasks::load_native(folder_of(settings.folder)); }));
  const auto& suite = *settings.suite;
  // Each name by itself, so that the complaint has the place of the wrong one.
  if (const auto names = map.find("tasks"))
    for (const auto& name : names->list())
      at_place(name, [&] { return benchmark_tasks::select(suite, {.names = {name.as<std::string>()}}); });
  if (const auto categories = map.find("categories"))
    for (const auto& name : categories->list())
      at_place(name,
               [&] { return benchmark_tasks::select(suite, {.categories = {name.as<std::string>()}}); });
  at_place(map.node(), [&] { return benchmark_tasks::select(suite, filter); });
  return settings;
}

}  // namespace ridgeline::suites::native
