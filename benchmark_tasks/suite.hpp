// Suites: folders of task files, and the choice of tasks in them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/task.hpp"

namespace ridgeline::benchmark_tasks {

struct Suite {
  std::string name;  ///< "native", or the folder's name
  std::filesystem::path root;
  std::vector<Task> tasks;  ///< sorted by name

  const Task* find(const std::string& task_name) const;
  std::vector<std::string> names() const;
};

/// Loads every <Category>/<name>.yaml under `folder`. A file's folder and name must be its task's category
/// and name. Throws BadInput for the first file that is wrong, for two tasks of one name, and for a folder
/// without tasks.
Suite load_native(const std::filesystem::path& folder);

/// Which tasks of a suite: those that meet every condition.
struct TaskFilter {
  std::vector<std::string>
      names;  ///< globs of `*` and `?` over names; a task meets any of them; empty is all
  std::vector<std::string> categories;  ///< empty is all
  int min_difficulty = 1;
  int max_difficulty = 5;
};

/// In the suite's order. Throws BadInput for a glob or category that nothing meets, with the nearest valid
/// name, and when nothing is left.
std::vector<Task> select(const Suite& suite, const TaskFilter& filter);

/// A task as the command line names it: a file ("./my/softmax.yaml") or a task of the suite ("softmax",
/// "Math/softmax"). Throws BadInput with the nearest name.
Task resolve_task(const Suite& suite, const std::string& name_or_path);

/// `*` any text, `?` one character; the whole name must match.
bool matches_glob(std::string_view glob, std::string_view name);

}  // namespace ridgeline::benchmark_tasks
