#include "benchmark_tasks/suite.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benchmark_tasks/categories.hpp"
#include "benchmark_tasks/loader.hpp"
#include "engine/core/error.hpp"
#include "engine/yaml/nearest.hpp"

namespace ridgeline::benchmark_tasks {
namespace fs = std::filesystem;
namespace {

/// Sorted, since folders are listed in any order and the first wrong file has to be the same each time.
std::vector<fs::path> task_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& category : fs::directory_iterator(folder)) {
    if (!category.is_directory()) continue;
    for (const auto& file : fs::directory_iterator(category))
      if (file.path().extension() == ".yaml") files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Names and folders of files agree with the tasks in them, so that a task can be found by either.
void check_place(const Task& task, const fs::path& file) {
  if (file.stem() != task.name)
    throw BadInput(
        fmt::format("{}: holds the task '{}'; name the file {}.yaml", file.string(), task.name, task.name));
  if (file.parent_path().filename() != task.category)
    throw BadInput(fmt::format("{}: the task's category is {}; put the file into the folder {}/",
                               file.string(), task.category, task.category));
}

}  // namespace

const Task* Suite::find(const std::string& task_name) const {
  for (const auto& task : tasks)
    if (task.name == task_name) return &task;
  return nullptr;
}

std::vector<std::string> Suite::names() const {
  std::vector<std::string> all;
  for (const auto& task : tasks) all.push_back(task.name);
  return all;
}

Suite load_native(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw BadInput(
        fmt::format("{}: is no folder; a suite is a folder of <Category>/<task>.yaml", folder.string()));
  // The folder that ships is called native wherever it lies: names of suites stand in stores.
  Suite suite{folder.filename() == "benchmark_tasks" ? "native" : folder.filename().string(), folder, {}};
  for (const auto& file : task_files(folder)) {
    suite.tasks.push_back(load_task(file));
    check_place(suite.tasks.back(), file);
  }
  if (suite.tasks.empty())
    throw BadInput(
        fmt::format("{}: holds no task; a suite is a folder of <Category>/<task>.yaml", folder.string()));
  auto& tasks = suite.tasks;
  std::sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.name < b.name; });
  // Kernels and trajectories carry the task's name without its category.
  for (std::size_t i = 1; i < tasks.size(); ++i)
    if (tasks[i].name == tasks[i - 1].name)
      throw BadInput(fmt::format("{}: the task '{}' stands in {} and in {}", folder.string(), tasks[i].name,
                                 tasks[i - 1].category, tasks[i].category));
  return suite;
}

bool matches_glob(std::string_view glob, std::string_view name) {
  // Only the last star is tried again: any text before it was matched as short as can be.
  constexpr auto none = std::string_view::npos;
  std::size_t at = 0, begin = 0, star = none;
  for (std::size_t next = 0; next < name.size();) {
    if (at < glob.size() && glob[at] == '*') {
      star = at++;
      begin = next;
    } else if (at < glob.size() && (glob[at] == '?' || glob[at] == name[next])) {
      ++at;
      ++next;
    } else if (star != none) {
      at = star + 1;
      next = ++begin;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', at) == none;
}

std::vector<const Task*> select(const Suite& suite, const TaskFilter& filter) {
  // A condition that no task meets is a slip of the pen: silence would run a smaller campaign than was meant.
  const auto names = suite.names();
  for (const auto& glob : filter.names)
    if (std::none_of(names.begin(), names.end(), [&](const auto& name) { return matches_glob(glob, name); }))
      throw BadInput(fmt::format("no task of the suite '{}' is named '{}'{}", suite.name, glob,
                                 yaml::did_you_mean(glob, names)));
  for (const auto& category : filter.categories) {
    if (std::ranges::find(categories(), category) == categories().end())
      throw BadInput(
          fmt::format("'{}' is no category{}", category, yaml::did_you_mean(category, categories())));
    if (std::ranges::find(suite.tasks, category, &Task::category) == suite.tasks.end())
      throw BadInput(fmt::format("no task of the suite '{}' is in the category {}", suite.name, category));
  }

  std::vector<const Task*> tasks;
  for (const auto& task : suite.tasks) {
    const auto& wanted = filter.categories;
    const bool name_fits =
        filter.names.empty() || std::any_of(filter.names.begin(), filter.names.end(),
                                            [&](const auto& glob) { return matches_glob(glob, task.name); });
    const bool category_fits =
        wanted.empty() || std::find(wanted.begin(), wanted.end(), task.category) != wanted.end();
    if (name_fits && category_fits && task.difficulty >= filter.min_difficulty &&
        task.difficulty <= filter.max_difficulty)
      tasks.push_back(&task);
  }
  if (tasks.empty())
    throw BadInput(fmt::format(
        "no task of the suite '{}' meets the whole filter; loosen names, categories or difficulty",
        suite.name));
  return tasks;
}

const Task& find_task(const Suite& suite, const std::string& name) {
  const auto slash = name.rfind('/');
  const auto own_name = slash == std::string::npos ? name : name.substr(slash + 1);
  const auto* task = suite.find(own_name);
  if (task && (slash == std::string::npos || name.substr(0, slash) == task->category)) return *task;
  throw BadInput(fmt::format("no task '{}' in the suite '{}'{}", name, suite.name,
                             yaml::did_you_mean(own_name, suite.names())));
}

Task resolve_task(const Suite& suite, const std::string& name_or_path) {
  if (name_or_path.ends_with(".yaml") || name_or_path.ends_with(".yml")) return load_task(name_or_path);
  return find_task(suite, name_or_path);
}

}  // namespace ridgeline::benchmark_tasks
