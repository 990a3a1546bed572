#include "engine/campaign/suite_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "benchmark_tasks/suite.hpp"
#include "benchmark_tasks/suite_folder.hpp"
#include "engine/core/error.hpp"
#include "engine/suites/kernelbench/clone.hpp"
#include "engine/yaml/file_paths.hpp"

namespace ridgeline::campaign {
namespace {

/// What `read` throws knows the folder, but not the place in the campaign file.
template <class Read>
auto at(const yaml::Node& node, const Read& read) {
  try {
    return read();
  } catch (const BadInput& error) {
    node.fail(error.what());
  }
}

SuiteChoice read_clone(yaml::MapReader map, const yaml::Node& folder) {
  SuiteChoice suite;
  suite.kernelbench = yaml::path_in_file(folder);
  suite.check = map.optional<bool>("check", suite.check);
  suite.timeout = map.optional<double>("timeout", suite.timeout, yaml::in_range(1, 86'400));
  auto clone = at(folder, [&] { return suites::kernelbench::open_clone(suite.kernelbench); });
  if (const auto levels = map.find("levels")) {
    suite.levels = levels->as<std::vector<int>>(yaml::in_range(1, 4));
    if (suite.levels.empty()) levels->fail("levels is empty: name at least one, or leave it out");
    std::sort(suite.levels.begin(), suite.levels.end());
    suite.levels.erase(std::unique(suite.levels.begin(), suite.levels.end()), suite.levels.end());
    clone = at(*levels, [&] { return suites::kernelbench::open_clone(suite.kernelbench, suite.levels); });
  }
  if (const auto tasks = map.find("tasks")) {
    suite.tasks = tasks->as<std::vector<std::string>>();
    for (const auto& name : tasks->list())
      at(name, [&] { return suites::kernelbench::select(clone, {name.as<std::string>()}); });
  }
  map.finish();
  return suite;
}

}  // namespace

SuiteChoice read_suite(yaml::MapReader map) {
  if (const auto folder = map.find("kernelbench")) return read_clone(std::move(map), *folder);
  SuiteChoice suite;
  suite.path = yaml::optional_path(map, "path");
  suite.tasks = map.optional("tasks", std::vector<std::string>());
  suite.categories = map.optional("categories", std::vector<std::string>());
  const auto levels = yaml::in_range(1, 5);
  suite.min_difficulty = map.optional<int>("min_difficulty", 1, levels);
  suite.max_difficulty = map.optional<int>("max_difficulty", 5, levels);
  map.finish();
  return suite;
}

void check_native_suite(yaml::MapReader& campaign, const SuiteChoice& suite) {
  const auto node = campaign.find("suite");
  if (!node || !suite.kernelbench.empty()) return;
  auto map = node->map();
  const auto path = map.find("path");
  const auto folder =
      suite.path.empty() ? benchmark_tasks::default_suite_folder() : std::filesystem::path(suite.path);
  const auto loaded = at(path ? *path : *node, [&] { return benchmark_tasks::load_native(folder); });
  if (const auto names = map.find("tasks"))
    for (const auto& name : names->list())
      at(name, [&] { return benchmark_tasks::select(loaded, {.names = {name.as<std::string>()}}); });
  if (const auto wanted = map.find("categories"))
    for (const auto& name : wanted->list())
      at(name, [&] { return benchmark_tasks::select(loaded, {.categories = {name.as<std::string>()}}); });
  at(*node, [&] {
    return benchmark_tasks::select(
        loaded, {suite.tasks, suite.categories, suite.min_difficulty, suite.max_difficulty});
  });
}

Language read_language(yaml::MapReader& map, const SuiteChoice& suite) {
  const bool modules = !suite.kernelbench.empty();
  const auto node = map.find("language");
  if (!node) return modules ? Language::torch : Language::cpp;
  const auto language = node->as<Language>();
  if (!modules && !traits(language).answers(Form::kernel))
    node->fail(
        fmt::format("{} is a language of answers to KernelBench's tasks: name a clone as suite.kernelbench",
                    to_string(language)));
  return language;
}

}  // namespace ridgeline::campaign
