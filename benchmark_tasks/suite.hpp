// Loads folders of task files, and chooses tasks in them. Plain data: threads may share a loaded suite.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::benchmark_tasks {

/// A folder of task files, loaded.
struct Suite {
  std::string name;  ///< "native", or the folder's name
  std::filesystem::path root;
  std::vector<Task> tasks;  ///< sorted by name

  /// Returns null if no task has that name.
  const Task* find(const std::string& task_name) const;
  std::vector<std::string> names() const;
};

/// Loads every <Category>/<name>.yaml under `folder`. A file's folder and name must be its task's category
/// and name. Throws BadInput for the first file that is wrong, for two tasks of one name, and if `folder` is
/// no folder or holds no task.
Suite load_native(const std::filesystem::path& folder);

/// Chooses the tasks of a suite that meet every condition.
struct TaskFilter {
  /// Globs of `*` and `?` over names, of which a task matches one at least; empty means all.
  std::vector<std::string> names;
  std::vector<std::string> categories;  ///< empty means all
  int min_difficulty = 1;
  int max_difficulty = 5;
};

/// Returns the chosen tasks in the suite's order, as pointers into it. Throws BadInput for a glob that no
/// task matches and for a name that is no category, each with the nearest valid name. Throws it also for a
/// category without a task in this suite, and if no task meets all conditions.
std::vector<const Task*> select(const Suite& suite, const TaskFilter& filter);

/// Returns the task of the suite that `name` means: "softmax", "Math/softmax". Throws BadInput with the
/// nearest name.
const Task& find_task(const Suite& suite, const std::string& name);

/// Returns the task that a command line names: a file ("./my/softmax.yaml") or a task of the suite
/// ("softmax", "Math/softmax"). Throws BadInput with the nearest name.
Task resolve_task(const Suite& suite, const std::string& name_or_path);

/// Whether the whole name matches: `*` stands for any text, `?` for one character.
bool matches_glob(std::string_view glob, std::string_view name);

}  // namespace ridgeline::benchmark_tasks
